import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';

import type { Program } from './support/program.ts';
import { startMain } from './support/program.ts';
import { makeDirectory, signIn } from './support/service.ts';

let place: ReturnType<typeof makeDirectory>;
let dataDir: string;
let programs: Program[];

beforeEach(() => {
  place = makeDirectory();
  dataDir = path.join(place.directory, 'data');
  programs = [];
});

afterEach(async () => {
  for (const program of programs) {
    program.process.kill('SIGTERM');
    await program.ended;
  }
  place.remove();
});

function start(...args: string[]): Program {
  const program = startMain(['--data-dir', dataDir, '--port', '0', '--management-cluster', 'off', ...args]);
  programs.push(program);
  return program;
}

async function templateNames(url: string): Promise<string[]> {
  const response = await fetch(`${url}/v1/clustertemplates`, { headers: await headers() });
  if (response.status !== 200) throw new Error(await response.text());
  const { clustertemplates } = (await response.json()) as { clustertemplates: { name: string }[] };
  return clustertemplates.map(({ name }) => name);
}

async function createTemplate(url: string, name: string): Promise<void> {
  const response = await fetch(`${url}/v1/clustertemplates`, {
    method: 'POST',
    headers: await headers(),
    body: JSON.stringify({
      name,
      coe: 'kubernetes',
      image_id: 'ubuntu-kube-v1.32',
      external_network_id: 'public',
    }),
  });
  expect([response.status, await response.text()]).toEqual([201, expect.any(String)]);
}

async function headers(): Promise<Record<string, string>> {
  const { clouds } = parse(readFileSync(path.join(dataDir, 'clouds.yaml'), 'utf8')) as {
    clouds: Record<
      string,
      { auth: { auth_url: string; username: 'demo'; password: string; project_name: string } }
    >;
  };
  const { auth } = clouds.jeroboam ?? { auth: undefined };
  if (auth === undefined) throw new Error('the clouds file has no cloud jeroboam');
  const user = {
    cloud: 'jeroboam',
    username: auth.username,
    password: auth.password,
    project: auth.project_name,
  };
  const token = await signIn({ authUrl: auth.auth_url, users: [user] }, 'jeroboam');
  return { 'x-auth-token': token, 'content-type': 'application/json' };
}

describe('the program', () => {
  test('says on stdout what there is, and last and once that it is ready', async () => {
    const program = start();
    const url = await program.ready;
    expect(program.stdout()).toContain(path.join(dataDir, 'clouds.yaml'));
    expect(program.stdout().match(/^ready: /gm)).toHaveLength(1);
    expect(program.stdout().trimEnd().split('\n').at(-1)).toBe(`ready: ${url}`);
    program.process.kill('SIGTERM');
    expect([await program.ended, program.stderr()]).toEqual([0, expect.any(String)]);
  });

  test('keeps what it acknowledged when it is killed, and starts again at once', async () => {
    const first = start();
    await createTemplate(await first.ready, 'kept');
    first.process.kill('SIGKILL');
    await first.ended;

    const second = start();
    expect(await templateNames(await second.ready)).toEqual(['kept']);
  });

  test('goes on answering after its PostgreSQL was killed', async () => {
    const program = start();
    const url = await program.ready;
    await createTemplate(url, 'kept');
    const pidFile = path.join(dataDir, 'postgres/data/postmaster.pid');
    process.kill(Number(readFileSync(pidFile, 'utf8').split('\n')[0]), 'SIGKILL');

    expect(await eventually(() => templateNames(url))).toEqual(['kept']);
    await createTemplate(url, 'also kept');
    expect(program.process.exitCode).toBeNull();
  });

  test('ends in order when the launcher that holds its channel is gone', async () => {
    const program = startMain(['--data-dir', dataDir, '--port', '0', '--management-cluster', 'off'], {
      ipc: true,
    });
    await program.ready;
    program.process.disconnect();
    expect(await program.ended).toBe(0);
    expect(readFileSync(path.join(dataDir, 'postgres/postgres.log'), 'utf8')).toContain('is shut down');
  });

  test('writes JSON lines where they are asked for', async () => {
    const program = start('--log-format', 'json');
    await program.ready;
    for (const line of program.stderr().trimEnd().split('\n')) expect(JSON.parse(line)).toHaveProperty('msg');
  });

  test('ends with 2 and a sentence for each mistake, and starts nothing', async () => {
    const program = start('--prot', '1', '--host=');
    expect(await program.ended).toBe(2);
    expect(program.stdout()).toBe('');
    expect(program.stderr()).toBe('jeroboam: --prot is not a flag: did you mean --port?\n');
  });

  test.each([
    ['--help', /--data-dir DIR/],
    ['--version', /^\d+\.\d+\.\d+$/m],
  ])('answers %s', async (flag, answer) => {
    const program = start(flag);
    expect([await program.ended, program.stderr()]).toEqual([0, '']);
    expect(program.stdout()).toMatch(answer);
  });
});

/** Tries until it succeeds; the last failure is the test's when 30 s were not enough. */
async function eventually<T>(attempt: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + 30_000;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await sleep(50);
    }
  }
}
