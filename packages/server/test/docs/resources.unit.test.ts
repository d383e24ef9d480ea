import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { curlRequest } from './support/curl-command.ts';
import { examplesOf } from './support/examples.ts';
import { writtenLike } from './support/likeness.ts';
import { shellWords } from './support/shell-words.ts';

const repository = path.join(import.meta.dirname, '../../../..');

describe('the tables of docs/resources.md', () => {
  it('are what the attributes say', async () => {
    const check = promisify(execFile)(process.execPath, ['scripts/docs/resources.mjs', '--check'], {
      cwd: repository,
    });
    await expect(check).resolves.toMatchObject({ stderr: '' });
  });
});

describe('the reader of examples', () => {
  it('finds each command under its heading with what it answers', () => {
    const text = '# One\n\n```console\n$ ask "$URL/x"\n```\n\nAnswers 200:\n\n```json\n{"a": "…"}\n```\n';
    expect(examplesOf(text)).toEqual([
      { heading: 'One', command: 'ask "$URL/x"', status: 200, answer: { a: '…' } },
    ]);
    expect(examplesOf('```console\n$ ask y\n```\n\nAnswers 204.\n')).toMatchObject([{ status: 204 }]);
    expect(() => examplesOf('```console\n$ ask y\n```\n\nWell.\n')).toThrow('without an answer');
  });

  it('reads commands as a shell and as curl would', () => {
    const words = shellWords(`ask -X PATCH "$URL/x" \\\n  -H 'Accept: a/b' -d '[{"v": "$1"}]'`, {
      URL: 'http://h',
    });
    expect(curlRequest(words.slice(1))).toEqual({
      method: 'PATCH',
      url: 'http://h/x',
      headers: { accept: 'a/b' },
      body: '[{"v": "$1"}]',
    });
    expect(() => shellWords('ask $NOBODY', {})).toThrow('$NOBODY');
  });

  it('lets "…" stand for anything, and nothing else for anything else', () => {
    const real = { uuid: 'x', list: [1, 2], text: 'Unable to find flavor huge.', inner: { a: 1, b: 2 } };
    const true_ = { uuid: '…', list: [1, '…'], text: 'Unable … huge.', inner: { a: 1, '…': '…' } };
    expect(writtenLike(real, true_)).toEqual(true_);
    for (const wrong of [
      { ...true_, list: [1] },
      { ...true_, text: 'Unable … tiny.' },
      { ...true_, inner: { a: 1 } },
      { ...true_, inner: { a: 2, '…': '…' } },
      { ...true_, more: '…' },
    ])
      expect(writtenLike(real, wrong)).not.toEqual(wrong);
  });
});
