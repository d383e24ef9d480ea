import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import pino from 'pino';
import { afterEach, expect, test } from 'vitest';
import { createWebhook, type Webhook } from '../../src/notifications/webhook.ts';
import { until } from '../support/until.ts';

let server: Server | undefined;
let webhook: Webhook | undefined;
afterEach(() => {
  webhook?.close();
  server?.closeAllConnections();
  server?.close();
});

const lines: Record<string, unknown>[] = [];
const logger = pino(
  {},
  { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) },
);

/** A receiver that answers with these statuses, the last one for ever; 0: it never answers. */
async function receiver(
  ...statuses: number[]
): Promise<{ url: string; taken: unknown[]; asked: () => number }> {
  const taken: unknown[] = [];
  let asked = 0;
  server = createServer((request, response) => {
    const status = statuses[Math.min(asked, statuses.length - 1)] ?? 200;
    asked += 1;
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      if (status === 0) return;
      if (status === 200) taken.push(JSON.parse(text));
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/hook`, taken, asked: () => asked };
}

const quick = { attempts: 3, firstMs: 1, mostMs: 4 };

test('posts notifications in order, one after the other', async () => {
  const { url, taken } = await receiver(200);
  webhook = createWebhook({ url, logger });
  const sent = Array.from({ length: 20 }, (_, number) => ({ number }));
  for (const notification of sent) webhook.send(notification);
  await until(
    () => taken.length,
    (count) => count === 20,
  );
  expect(taken).toEqual(sent);
});

test('tries again what was not taken, before anything else', async () => {
  const { url, taken } = await receiver(503, 503, 200);
  webhook = createWebhook({ url, logger, retry: quick });
  webhook.send({ number: 1 });
  webhook.send({ number: 2 });
  await until(
    () => taken.length,
    (count) => count === 2,
  );
  expect(taken).toEqual([{ number: 1 }, { number: 2 }]);
});

test('drops what was tried too often, says so without the secrets of the address, and goes on', async () => {
  const { url, taken } = await receiver(500, 500, 500, 200);
  webhook = createWebhook({
    url: url.replace('//', '//user:secret@').replace('user:secret@', '') + '?token=secret',
    logger,
    retry: quick,
  });
  webhook.send({ number: 1 });
  webhook.send({ number: 2 });
  await until(
    () => taken.length,
    (count) => count === 1,
  );
  expect(taken).toEqual([{ number: 2 }]);
  const said = lines.find(({ msg }) => String(msg).includes('is dropped'));
  expect(said).toMatchObject({ webhook: url, reason: 'the webhook answered 500' });
  expect(JSON.stringify(lines)).not.toContain('secret');
});

test('keeps no more than it has room for while the other side is silent, and never waits for it', async () => {
  const { url, asked } = await receiver(0);
  webhook = createWebhook({ url, logger, capacity: 5 });
  for (let number = 0; number < 100; number += 1) webhook.send({ number });
  await until(asked, (count) => count === 1);
  const full = lines.findLast(({ msg }) => String(msg).includes('too many'));
  expect(full).toMatchObject({ dropped: 94 });
});
