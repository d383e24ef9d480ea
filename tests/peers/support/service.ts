import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { parse } from 'yaml';

import { cleanEnvironment, start } from './program.ts';
import { MissingPart } from './report.ts';

const program = path.resolve(import.meta.dirname, '../../../packages/standalone/dist/main.js');
const startLimitMs = 120_000;
const stopLimitMs = 60_000;

export type CloudName = 'jeroboam' | 'jeroboam-admin' | 'jeroboam-reader' | 'jeroboam-second';

interface CloudEntry {
  auth: { auth_url: string; username: string; password: string; project_name: string };
  region_name: string;
}

export interface PeerService {
  readonly url: string;
  /** As the service wrote it for its users. */
  readonly cloudsFile: string;
  readonly clouds: Record<CloudName, CloudEntry>;
  stop(): Promise<void>;
}

/** Starts the built service as `npm start` does, on free ports and in a directory of its own. */
export async function startService(directory: string): Promise<PeerService> {
  if (!existsSync(program)) throw new MissingPart('The service is not built: run `npm run build` first.');
  const dataDir = path.join(directory, 'service');
  const settings = {
    port: '0',
    'data-dir': dataDir,
    'management-cluster': 'off',
    'simulated-driver-delay': '300ms',
    metrics: 'false',
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
  // With a channel, the service ends by itself should this process be killed.
  const child = start(process.execPath, [program, ...flags], {
    env: cleanEnvironment(directory),
    cwd: directory,
    channel: true,
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors = (errors + text).slice(-4_000)));
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));

  const url = await new Promise<string>((resolve, reject) => {
    let output = '';
    const timer = setTimeout(() => reject(new Error('The service was not ready in time.')), startLimitMs);
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      const ready = /^ready: (\S+)$/m.exec(output)?.[1];
      if (ready === undefined) return;
      clearTimeout(timer);
      resolve(ready);
    });
    child.once('error', reject);
    child.once('close', () => {
      clearTimeout(timer);
      reject(new Error(`The service did not start:\n${errors}`));
    });
  });

  const cloudsFile = path.join(dataDir, 'clouds.yaml');
  const { clouds } = parse(await readFile(cloudsFile, 'utf8')) as Pick<PeerService, 'clouds'>;
  return {
    url,
    cloudsFile,
    clouds,
    async stop() {
      // To the service alone: it ends its database itself, in order.
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), stopLimitMs);
      await ended;
      clearTimeout(timer);
    },
  };
}
