/** The answer was longer than anyone agreed to hold in memory. */
export class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge';
}

/** Reads the text of a response and gives up as soon as it outgrows the limit, whatever its header claims. */
export async function readLimited(response: Response, maxBytes: number): Promise<string> {
  if (response.body === null) return '';
  const announced = Number(response.headers.get('content-length') ?? 0);
  if (announced > maxBytes) {
    await response.body.cancel();
    throw new BodyTooLarge(`announced ${announced} bytes`);
  }
  const decoder = new TextDecoder();
  let text = '';
  let received = 0;
  // Leaving the loop early cancels the stream, and with it the connection.
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    received += chunk.byteLength;
    if (received > maxBytes) throw new BodyTooLarge(`sent more than ${maxBytes} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
