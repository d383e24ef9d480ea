import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { end } from './child.ts';

const program = fileURLToPath(new URL('../../packages/standalone/dist/main.js', import.meta.url));
/** As the launcher runs it. */
const { nodeFlags } = JSON.parse(
  readFileSync(new URL('../../packages/standalone/package.json', import.meta.url), 'utf8'),
) as { nodeFlags: string[] };
const startPatienceMs = 60_000;

export interface ApiProcess {
  url: string;
  pid: number;
  end(): Promise<void>;
}

export interface ApiSettings {
  /** Holds the log and what the service keeps in files. */
  directory: string;
  databaseUrl: string;
  identityUrl: string;
  servicePassword: string;
  /** Where a CPU profile of the process is written when it ends. */
  profile: string | null;
}

export const apiLog = (directory: string): string => path.join(directory, 'api.log');

/**
 * The program that users start, as built, with the settings it has by itself: messages of level info as JSON on
 * stderr, which goes to a file, as under systemd or in a container.
 */
export async function startApiProcess(settings: ApiSettings): Promise<ApiProcess> {
  const logFile = apiLog(settings.directory);
  const log = openSync(logFile, 'a', 0o600);
  const flags = {
    port: '0',
    'data-dir': path.join(settings.directory, 'api'),
    sandbox: 'false',
    'management-cluster': 'off',
    'keystone-auth-url': settings.identityUrl,
    'log-format': 'json',
    'log-file': 'none',
    // Far more clusters are filled in than a project may have by default.
    'max-clusters-per-project': '1000000',
  };
  const child = spawn(
    process.execPath,
    [
      ...nodeFlags,
      ...profileFlags(settings.profile),
      program,
      ...Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value]),
    ],
    { stdio: ['ignore', 'pipe', log, 'ipc'], env: environment(settings) },
  );
  closeSync(log);
  try {
    return { url: await readyLine(child, logFile), pid: child.pid ?? 0, end: () => end(child, 'SIGTERM') };
  } catch (error) {
    await end(child, 'SIGTERM');
    throw error;
  }
}

function profileFlags(file: string | null): string[] {
  if (file === null) return [];
  const [directory, name] = [path.dirname(file), path.basename(file)];
  return ['--cpu-prof', `--cpu-prof-dir=${directory}`, `--cpu-prof-name=${name}`, '--cpu-prof-interval=250'];
}

/** Settings of whoever runs the benchmark must not change what is measured. */
function environment(settings: ApiSettings): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('JEROBOAM_') && name !== 'NODE_OPTIONS',
  );
  return {
    ...Object.fromEntries(inherited),
    NODE_ENV: 'production',
    JEROBOAM_DATABASE_URL: settings.databaseUrl,
    JEROBOAM_KEYSTONE_PASSWORD: settings.servicePassword,
  };
}

function readyLine(child: ChildProcess, logFile: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`the API was not ready within ${startPatienceMs / 1000} s`)),
      startPatienceMs,
    );
    child.once('error', reject);
    child.once('exit', (code) =>
      reject(new Error(`the API ended with ${code} before it was ready; ${logFile} may say why`)),
    );
    if (child.stdout === null) return;
    createInterface({ input: child.stdout }).on('line', (line) => {
      const url = /^ready: (\S+)$/.exec(line)?.[1];
      if (url === undefined) return;
      clearTimeout(timer);
      resolve(url);
    });
  });
}
