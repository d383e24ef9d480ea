import { reasonPhrase } from '../http/api-error.ts';
import type { CloudService } from '../http/service.ts';
import type { Identity } from './identity.ts';
import { applicationCredentialRoutes } from './resources/application-credentials.ts';
import {
  endpointResource,
  regionResource,
  regionRoutes,
  serviceResource,
} from './resources/catalog-resources.ts';
import { domainResource } from './resources/domains.ts';
import { grantRoutes } from './resources/grants.ts';
import { ownRoutes } from './resources/own.ts';
import { projectResource } from './resources/projects.ts';
import { resourceRoutes } from './resources/resource.ts';
import { roleAssignmentRoutes } from './resources/role-assignments.ts';
import { roleResource } from './resources/roles.ts';
import { userResource, userRoutes } from './resources/users.ts';
import { tokenIssueRoute, tokenRoutes } from './tokens/token-routes.ts';
import { identityVersion } from './versions.ts';

/** Keystone v3. What it is born with needs the users' passwords and is therefore seeded by the cloud itself. */
export function identityService(identity: Identity): CloudService {
  return {
    path: '/identity',
    catalog: [{ type: 'identity', name: 'keystone', url: '$(sandbox_url)s/identity/v3' }],
    seed: async () => undefined,
    publicRoutes(app) {
      app.get('/', async (_request, reply) => {
        const { url } = identity.cloud;
        const body = { versions: { values: [identityVersion(url)] } };
        return reply.code(300).header('location', `${url}/identity/v3/`).send(body);
      });
      app.get('/v3', async () => ({ version: identityVersion(identity.cloud.url) }));
      tokenIssueRoute(app, identity);
    },
    routes(app) {
      tokenRoutes(app, identity);
      ownRoutes(app, identity);
      resourceRoutes(app, identity, domainResource(identity));
      resourceRoutes(app, identity, projectResource(identity));
      resourceRoutes(app, identity, userResource(identity));
      resourceRoutes(app, identity, roleResource(identity));
      resourceRoutes(app, identity, serviceResource(identity));
      resourceRoutes(app, identity, endpointResource(identity));
      resourceRoutes(app, identity, regionResource(identity));
      regionRoutes(app, identity);
      userRoutes(app, identity);
      grantRoutes(app, identity);
      roleAssignmentRoutes(app, identity);
      applicationCredentialRoutes(app, identity);
    },
    errorBody: (status, message) => ({ error: { code: status, message, title: reasonPhrase(status) } }),
    onRequest(_request, reply) {
      void reply.header('vary', 'X-Auth-Token');
    },
  };
}
