import { describe, expect, it } from 'vitest';

import { RequestLog } from '../../src/cloud/http/request-log.ts';

describe('the request log', () => {
  it('keeps the latest requests and forgets older ones', () => {
    const log = new RequestLog(3);
    for (let at = 1; at <= 10; at += 1) log.add({ at, method: 'GET', path: '/', query: '', status: 200 });
    expect(log.entries().map((entry) => entry.at)).toEqual([8, 9, 10]);
    log.clear();
    expect(log.entries()).toEqual([]);
  });
});
