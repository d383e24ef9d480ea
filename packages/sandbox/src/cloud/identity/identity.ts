import type { Caller } from '../http/caller.ts';
import type { Cloud } from '../http/service.ts';
import { catalogView } from './catalog.ts';
import type { CatalogView, UrlValues } from './catalog.ts';
import { Directory } from './directory.ts';
import { TokenOffice } from './tokens/token-office.ts';

/** Keystone's working parts, shared by its routes and by the check of every other service's tokens. */
export class Identity {
  readonly cloud: Cloud;
  readonly directory: Directory;
  readonly tokens: TokenOffice;
  /** Where Magnum answers; absent from the catalogue until someone says. */
  containerInfraUrl: string | undefined;

  private constructor(cloud: Cloud, directory: Directory, tokens: TokenOffice) {
    this.cloud = cloud;
    this.directory = directory;
    this.tokens = tokens;
  }

  static async open(cloud: Cloud, tokenLifetimeSeconds: number): Promise<Identity> {
    const directory = new Directory(cloud.objects);
    const tokens = await TokenOffice.open(cloud, directory, tokenLifetimeSeconds);
    await tokens.forgetOldRevocations();
    return new Identity(cloud, directory, tokens);
  }

  get url(): string {
    return `${this.cloud.url}/identity/v3`;
  }

  callerOf(token: string | undefined): Caller | undefined {
    return this.tokens.check(token);
  }

  urlValues(projectId: string | undefined): UrlValues {
    return {
      sandbox_url: this.cloud.url,
      container_infra_url: this.containerInfraUrl,
      project_id: projectId,
    };
  }

  catalogFor(projectId: string | undefined): CatalogView {
    return catalogView(this.directory, this.urlValues(projectId));
  }
}
