import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

const eventStreamType = 'text/event-stream';

/** Whether a header asks for server-sent events. */
export const acceptsEvents = (accept: string | undefined): boolean =>
  accept?.split(',').some((part) => part.split(';')[0]?.trim().toLowerCase() === eventStreamType) ?? false;

/** What a client says of the events it wants; null when it wants none. A number that is none is as good as no number. */
export function wantedEvents(headers: IncomingHttpHeaders): { lastEventId: string | null } | null {
  if (!acceptsEvents(headers.accept)) return null;
  const last = headers['last-event-id'];
  return { lastEventId: typeof last === 'string' && /^\d{1,18}$/.test(last) ? last : null };
}

export const sendEvents = (reply: FastifyReply, stream: Readable): FastifyReply =>
  reply
    .code(200)
    .headers({
      'content-type': eventStreamType,
      'cache-control': 'no-cache',
      // Proxies that gather answers would keep the events to themselves.
      'x-accel-buffering': 'no',
      vary: 'OpenStack-API-Version, Accept',
    })
    .send(stream);
