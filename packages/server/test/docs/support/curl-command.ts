export interface HttpRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string;
}

/** The request that the words of a curl command mean; of curl's options, those that the examples use. */
export function curlRequest(words: readonly string[]): HttpRequest {
  const headers: Record<string, string> = {};
  let [method, url, body]: (string | undefined)[] = [];
  const rest = [...words];
  const next = (option: string): string => {
    const value = rest.shift();
    if (value === undefined) throw new Error(`${option} lacks its value`);
    return value;
  };
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === '-X') method = next(word);
    else if (word === '-H') {
      const [, name = '', value = ''] = /^([^:]+): *(.*)$/.exec(next(word)) ?? [];
      headers[name.toLowerCase()] = value;
    } else if (word === '-d') body = next(word);
    else if (word === '--json') {
      body = next(word);
      headers['content-type'] ??= 'application/json';
      headers['accept'] ??= 'application/json';
    } else if (word.startsWith('-')) throw new Error(`the examples do not use ${word}`);
    else url = word;
  }
  if (url === undefined) throw new Error(`no address in: ${words.join(' ')}`);
  return {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    url,
    headers,
    ...(body === undefined ? {} : { body }),
  };
}
