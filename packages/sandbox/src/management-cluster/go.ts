import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { ManagementClusterError } from './errors.ts';

const run = promisify(execFile);

/** The Go module, the same distance from src/ and from dist/. */
export const moduleDirectory = path.resolve(import.meta.dirname, '../../management-cluster');

export const platformObstacle = (): string | null =>
  process.platform === 'linux'
    ? null
    : 'a management cluster in a box needs Linux: give --kubeconfig for another one';

/** What is wrong with the Go that is to build, in one sentence; null: nothing. */
export async function goObstacle(go: string): Promise<string | null> {
  let version: string;
  try {
    ({ stdout: version } = await run(go, ['env', 'GOVERSION'], { cwd: moduleDirectory, env: environment() }));
  } catch {
    return 'a management cluster in a box is built with Go, which is not on the PATH: install Go, or give --kubeconfig';
  }
  const module = readFileSync(path.join(moduleDirectory, 'go.mod'), 'utf8');
  const [, neededMajor = '0', neededMinor = '0'] = /^go (\d+)\.(\d+)/m.exec(module) ?? [];
  const [, major = '0', minor = '0'] = /go(\d+)\.(\d+)/.exec(version) ?? [];
  const isOlder =
    Number(major) < Number(neededMajor) || (major === neededMajor && Number(minor) < Number(neededMinor));
  if (!isOlder) return null;
  return `a management cluster in a box is built with Go ${neededMajor}.${neededMinor} or newer, and this is ${version.trim()}: install a newer Go, or give --kubeconfig`;
}

/** Downloads count too: a slow line must not fail what a fast one does in minutes. */
const limitMs = 60 * 60_000;
/** A module proxy that is asked too often says so; a moment later it answers again. */
const attempts = 4;
const passing = /429|too many requests|timeout|connection reset|unexpected EOF/i;

/** Runs a Go command in the module; a download that failed in passing is tried again. */
export async function runGo(go: string, args: readonly string[], signal?: AbortSignal): Promise<string> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const { stdout } = await run(go, args, {
        cwd: moduleDirectory,
        env: environment(),
        timeout: limitMs,
        maxBuffer: 16 * 1024 * 1024,
        ...(signal === undefined ? {} : { signal }),
      });
      return stdout;
    } catch (error) {
      signal?.throwIfAborted();
      const { stderr = '' } = error as { stderr?: string };
      if (attempt >= attempts || !passing.test(stderr)) {
        const told = stderr.trim().split('\n').slice(-5).join('\n') || (error as Error).message;
        throw new ManagementClusterError(`go ${args[0]} failed: ${told}`, { cause: error });
      }
      await new Promise((resolve) => setTimeout(resolve, 2 ** attempt * 1000));
    }
  }
}

/**
 * The user's own settings of Go, such as a proxy of modules, hold, except what would change the build. Whatever they are,
 * `-mod=readonly` refuses every module whose checksum is not the one in go.sum.
 */
function environment(): NodeJS.ProcessEnv {
  return {
    ...process.env,
    CGO_ENABLED: '0',
    GOFLAGS: '',
    GOWORK: 'off',
    GOTOOLCHAIN: 'local',
    GOOS: '',
    GOARCH: '',
  };
}
