import type { Logger } from 'pino';
import { cadfNotification, type ClusterNotice } from './cadf.ts';
import type { Webhook } from './webhook.ts';

/** Tells those outside what happens to clusters. */
export interface Notifications {
  tell(notice: ClusterNotice): void;
}

/** Every notification is a line in the log; where there is a webhook, it is sent there as well. */
export const createNotifications = (options: {
  host: string;
  logger: Logger;
  webhook: Webhook | null;
}): Notifications => ({
  tell(notice) {
    const notification = cadfNotification(notice, options.host, new Date());
    options.logger.info({ notification }, 'notification');
    options.webhook?.send(notification);
  },
});
