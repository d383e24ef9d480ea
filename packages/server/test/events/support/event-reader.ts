import type { TestService } from '../../support/test-service.ts';

export interface StreamedEvent {
  id: string | null;
  event: string | null;
  data: Record<string, unknown>;
}

/** A client of server-sent events that keeps what it was sent. */
export class EventReader {
  readonly events: StreamedEvent[] = [];
  readonly #abort = new AbortController();
  ended = false;

  static async open(
    service: TestService,
    cluster: string,
    headers: Record<string, string> = {},
  ): Promise<EventReader> {
    const reader = new EventReader();
    const answer = await fetch(`${service.url}/v1/clusters/${cluster}/events`, {
      headers: { accept: 'text/event-stream', 'x-auth-token': service.tokens.demo, ...headers },
      signal: reader.#abort.signal,
    });
    if (answer.status !== 200 || answer.body === null) throw new Error(`no stream: ${answer.status}`);
    if (answer.headers.get('content-type') !== 'text/event-stream') throw new Error('no server-sent events');
    void reader.#read(answer.body);
    return reader;
  }

  async #read(body: ReadableStream<Uint8Array>): Promise<void> {
    let text = '';
    try {
      for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
        text += chunk;
        const frames = text.split('\n\n');
        text = frames.pop() ?? '';
        for (const frame of frames) this.#take(frame);
      }
    } catch {
      // Left by the reader itself, or by the server.
    }
    this.ended = true;
  }

  #take(frame: string): void {
    const field = (name: string): string | null =>
      new RegExp(`^${name}: (.*)$`, 'm').exec(frame)?.[1] ?? null;
    const data = field('data');
    if (data !== null)
      this.events.push({
        id: field('id'),
        event: field('event'),
        data: JSON.parse(data) as Record<string, unknown>,
      });
  }

  leave(): void {
    this.#abort.abort();
  }
}
