import type { Http } from '@jeroboam/openstack';
import type { CertificateVault } from './certificates/vault.ts';
import type { TokenValidator } from './identity/index.ts';
import type { EventStreams } from './events/streams.ts';
import type { Metrics } from './metrics/metrics.ts';
import type { Notifications } from './notifications/notifications.ts';
import type { ServerOptions } from './options.ts';
import type { PageMaker } from './rest/long-pages.ts';
import type { Store, WorkQueue } from './store/index.ts';

/** What request handlers work with; made once when the server starts. */
export interface Services {
  options: ServerOptions;
  store: Store;
  validator: TokenValidator;
  http: Http;
  vault: CertificateVault;
  metrics: Metrics;
  pages: PageMaker;
  queue: WorkQueue;
  eventStreams: EventStreams;
  notifications: Notifications;
}
