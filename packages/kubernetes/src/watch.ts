import type { KubeClient } from './client.ts';
import { delayMs, pause } from './backoff.ts';
import { collectionPath, type Kind } from './kinds.ts';
import { errorOf, KubeError } from './kube-error.ts';
import type { KubeObject } from './objects.ts';

/** Hears what becomes of all objects of a kind. */
export interface WatchHandler<T> {
  /** The object is there, for the first time or changed. */
  changed(object: T): void;
  gone(object: T): void;
  /** All objects there are, after the first list and after each later one; what is not among them is gone. */
  listed(objects: readonly T[]): void;
  /** The server cannot be reached or answers nonsense; the watch goes on trying. */
  failed?(error: Error): void;
}

export interface WatchOptions<T extends KubeObject, Kept = T> {
  namespace?: string;
  labelSelector?: string;
  /** What is kept of an object: whole ones of ten thousand machines are hundreds of megabytes. */
  keep?: (object: T) => Kept;
  pageSize?: number;
  /** How long nothing at all may be heard until the connection is taken for dead. */
  silenceMs?: number;
  random?: () => number;
}

export interface Watch {
  /** Resolves when the first list has been heard, or when the watch is closed before that. */
  readonly synced: Promise<void>;
  close(): void;
}

interface WatchEvent {
  type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  object: KubeObject & { code?: number; message?: string; reason?: string };
}

/** The server is asked to end a watch after this long: one whose connection died silently does not end, and is noticed. */
const watchSeconds = 150;
/** Of a kind that nobody touches nothing is heard, not even bookmarks; only when the end stays out as well is something wrong. */
const defaultSilenceMs = (watchSeconds + 15) * 1_000;
/** A watch that ends sooner and told of nothing is one that the server does not want, whatever it answers. */
const shortestMs = 1_000;
/** A server that was given older data does not say that it does not know our version: it only never gets there. */
const relistAfter = 5;

/** Lists all objects of a kind and then hears of each change, for as long as it is not closed. */
export function watchKind<T extends KubeObject, Kept = T>(
  client: KubeClient,
  kind: Kind,
  handler: WatchHandler<Kept>,
  options: WatchOptions<T, Kept> = {},
): Watch {
  const ended = new AbortController();
  const keep = options.keep ?? ((object: T) => object as unknown as Kept);
  const random = options.random ?? Math.random;
  const silenceMs = options.silenceMs ?? defaultSilenceMs;
  let heard: () => void = () => undefined;
  const synced = new Promise<void>((resolve) => {
    heard = resolve;
  });

  async function list(): Promise<string> {
    const { items, resourceVersion } = await client.list<T, Kept>(
      kind,
      {
        ...scopeOf(options),
        ...(options.pageSize === undefined ? {} : { pageSize: options.pageSize }),
        signal: ended.signal,
      },
      keep,
    );
    handler.listed(items);
    heard();
    return resourceVersion;
  }

  /** Follows the changes after a version; answers the last version heard of. */
  async function follow(from: string, reached: (version: string) => void): Promise<void> {
    const silence = new AbortController();
    let timer = setTimeout(() => silence.abort(), silenceMs);
    try {
      const answer = await client.open({
        method: 'GET',
        path: collectionPath(kind, options.namespace),
        query: {
          watch: true,
          resourceVersion: from,
          allowWatchBookmarks: true,
          timeoutSeconds: watchSeconds,
          labelSelector: options.labelSelector,
        },
        signal: AbortSignal.any([ended.signal, silence.signal]),
      });
      if (answer.statusCode !== 200) throw errorOf(answer.statusCode ?? 0, await textOf(answer));
      for await (const line of linesOf(answer)) {
        clearTimeout(timer);
        timer = setTimeout(() => silence.abort(), silenceMs);
        hear(eventOf(line), reached);
      }
    } finally {
      clearTimeout(timer);
    }
  }

  function hear({ type, object }: WatchEvent, reached: (version: string) => void): void {
    if (type === 'ERROR')
      throw new KubeError(object.code ?? 500, object.reason ?? '', object.message ?? 'the watch failed');
    const version = object.metadata.resourceVersion;
    if (type !== 'BOOKMARK') {
      const kept = keep(object as unknown as T);
      if (type === 'DELETED') handler.gone(kept);
      else handler.changed(kept);
    }
    if (version !== undefined) reached(version);
  }

  async function run(): Promise<void> {
    let version: string | null = null;
    let failures = 0;
    while (!ended.signal.aborted) {
      try {
        version ??= await list();
        const begun = Date.now();
        let heardAny = false;
        await follow(version, (reached) => {
          version = reached;
          failures = 0;
          heardAny = true;
        });
        if (!heardAny && Date.now() - begun < shortestMs) throw new Error('the watch ended at once');
      } catch (error) {
        if (ended.signal.aborted) return;
        // What the server has forgotten must be listed anew; anything else is tried again from where it was.
        failures += 1;
        if (failures >= relistAfter || (error instanceof KubeError && (error.expired || !error.passing)))
          version = null;
        handler.failed?.(error instanceof Error ? error : new Error(String(error)));
        await pause(delayMs(failures, random), ended.signal);
      }
    }
  }

  void run();
  return {
    synced,
    close() {
      ended.abort();
      heard();
    },
  };
}

const scopeOf = (options: { namespace?: string; labelSelector?: string }) => ({
  ...(options.namespace === undefined ? {} : { namespace: options.namespace }),
  ...(options.labelSelector === undefined ? {} : { labelSelector: options.labelSelector }),
});

function eventOf(line: string): WatchEvent {
  try {
    const event = JSON.parse(line) as Partial<WatchEvent> | null;
    if (event?.type !== undefined && event.object?.metadata !== undefined) return event as WatchEvent;
  } catch {
    // What the parser says quotes the line, which may hold secrets.
  }
  throw new KubeError(0, 'Unreadable', 'the watch sent something that is no event');
}

async function* linesOf(stream: AsyncIterable<unknown>): AsyncGenerator<string> {
  let rest = '';
  const decoder = new TextDecoder();
  for await (const chunk of stream) {
    const parts = (rest + decoder.decode(chunk as Uint8Array, { stream: true })).split('\n');
    rest = parts.pop() ?? '';
    for (const line of parts) if (line !== '') yield line;
  }
}

async function textOf(stream: AsyncIterable<unknown>): Promise<string> {
  let text = '';
  for await (const chunk of stream) text += String(chunk);
  return text;
}
