import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { ManagementClusterError } from './errors.ts';
import { providers, tools, type Tool } from './tools.ts';

const run = promisify(execFile);

/** The Go module, the same distance from src/ and from dist/. */
export const moduleDirectory = path.resolve(import.meta.dirname, '../../management-cluster');

/** Where the programs and manifests of a management cluster are. */
export interface Toolchain {
  program(name: string): string;
  /** The directory with a provider's custom resources and webhooks. */
  manifests(provider: string): string;
}

export interface ToolchainOptions {
  /** Told what is being built, before each program. */
  progress?: (line: string) => void;
  /** Where built programs are kept: the same ones serve every clone of this user. */
  cacheDirectory?: string;
  go?: string;
  signal?: AbortSignal;
}

/** Built once per user, outside the clone, and again only when the module changes. */
export const defaultCacheDirectory = (): string =>
  path.join(
    process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache'),
    'jeroboam',
    'management-cluster',
  );

/** Changes with everything that the programs are made of. */
function fingerprint(): string {
  const hash = createHash('sha256');
  for (const file of ['go.mod', 'go.sum']) hash.update(readFileSync(path.join(moduleDirectory, file)));
  for (const file of readdirSync(path.join(moduleDirectory, 'box')).toSorted())
    hash.update(file).update(readFileSync(path.join(moduleDirectory, 'box', file)));
  hash.update(JSON.stringify([tools, providers]));
  hash.update(`${process.platform} ${process.arch}`);
  return hash.digest('hex').slice(0, 16);
}

const at = (directory: string): Toolchain => ({
  program: (name) => path.join(directory, 'bin', name),
  manifests: (provider) => path.join(directory, 'manifests', provider),
});

/** Tells that everything in a directory is there. */
const complete = 'complete';

/** The programs, built if they are not there yet. */
export async function ensureToolchain(options: ToolchainOptions = {}): Promise<Toolchain> {
  const cache = options.cacheDirectory ?? defaultCacheDirectory();
  const directory = path.join(cache, fingerprint());
  if (existsSync(path.join(directory, complete))) return at(directory);
  if (process.platform !== 'linux')
    throw new ManagementClusterError(
      'A management cluster in a box needs Linux; give --kubeconfig for another one.',
    );
  const go = options.go ?? 'go';
  await checkGo(go);
  mkdirSync(path.join(directory, 'bin'), { recursive: true });
  for (const [index, tool] of tools.entries()) {
    if (existsSync(path.join(directory, 'bin', tool.name))) continue;
    options.progress?.(`building ${tool.name} (${index + 1} of ${tools.length})`);
    await build(go, tool, path.join(directory, 'bin', tool.name), options.signal);
  }
  await copyManifests(go, directory);
  mkdirSync(path.join(directory, complete));
  return at(directory);
}

/** Whether there is a Go that can build; the sentence says what is missing. */
async function checkGo(go: string): Promise<void> {
  const needed = /^go (\d+)\.(\d+)/m.exec(readFileSync(path.join(moduleDirectory, 'go.mod'), 'utf8'));
  let version: string;
  try {
    ({ stdout: version } = await run(go, ['env', 'GOVERSION']));
  } catch {
    throw new ManagementClusterError(
      'A management cluster in a box is built with Go, which is not on the PATH: install Go, or give --kubeconfig.',
    );
  }
  const [, major = 0, minor = 0] = /go(\d+)\.(\d+)/.exec(version) ?? [];
  const [, neededMajor = 0, neededMinor = 0] = needed ?? [];
  if (Number(major) * 1000 + Number(minor) >= Number(neededMajor) * 1000 + Number(neededMinor)) return;
  throw new ManagementClusterError(
    `A management cluster in a box is built with Go ${neededMajor}.${neededMinor} or newer; this is ${version.trim()}.`,
  );
}

const buildFlags = ['-buildvcs=false', '-mod=readonly', '-trimpath'];
/** Downloads count too: a slow line must not fail what a fast one does in minutes. */
const buildLimitMs = 60 * 60_000;
/** A module proxy that is asked too often says so; a moment later it answers again. */
const attempts = 4;

/** Builds one program beside its place and moves it there whole. */
async function build(go: string, tool: Tool, target: string, signal?: AbortSignal): Promise<void> {
  const half = `${target}.half`;
  const linker = ['-s', '-w', ...(tool.values ?? []).map((value) => `-X ${value}`)].join(' ');
  const args = ['build', ...buildFlags, `-ldflags=${linker}`, '-o', half, tool.package];
  await goCommand(go, args, signal);
  renameSync(half, target);
}

async function goCommand(go: string, args: string[], signal?: AbortSignal): Promise<string> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const { stdout } = await run(go, args, {
        cwd: moduleDirectory,
        env: { ...process.env, CGO_ENABLED: '0', GOFLAGS: '', GOWORK: 'off' },
        timeout: buildLimitMs,
        maxBuffer: 16 * 1024 * 1024,
        ...(signal === undefined ? {} : { signal }),
      });
      return stdout;
    } catch (error) {
      const { stderr = '' } = error as { stderr?: string };
      const passing = /429|too many requests|timeout|connection reset|unexpected EOF/i.test(stderr);
      if (attempt >= attempts || !passing || signal?.aborted === true) {
        const told = stderr.trim().split('\n').slice(-5).join('\n') || (error as Error).message;
        throw new ManagementClusterError(`go ${args[0]} failed: ${told}`, { cause: error });
      }
      await new Promise((resolve) => setTimeout(resolve, 2 ** attempt * 1000));
    }
  }
}

/** The manifests come out of the modules themselves, so that they are of the version that was built. */
async function copyManifests(go: string, directory: string): Promise<void> {
  const half = path.join(directory, 'manifests.half');
  rmSync(half, { recursive: true, force: true });
  for (const { name, module, manifests } of providers) {
    const source = (await goCommand(go, ['list', '-mod=readonly', '-m', '-f', '{{.Dir}}', module])).trim();
    for (const part of ['crd', 'webhook'])
      cpSync(path.join(source, manifests, part), path.join(half, name, part), { recursive: true });
  }
  rmSync(path.join(directory, 'manifests'), { recursive: true, force: true });
  renameSync(half, path.join(directory, 'manifests'));
}
