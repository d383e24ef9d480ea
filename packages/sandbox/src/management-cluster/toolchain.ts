import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { whileBuilding } from './building-lock.ts';
import { ManagementClusterError } from './errors.ts';
import { goObstacle, moduleDirectory, platformObstacle, runGo } from './go.ts';
import { boxTool, providers, tools, type Tool } from './tools.ts';

/** Where the programs and manifests of a management cluster are. */
export interface Toolchain {
  program(name: string): string;
  /** The directory with a provider's custom resources and webhooks. */
  manifests(provider: string): string;
}

export interface ToolchainOptions {
  /** Told what is being built, before each program and now and then while it lasts. */
  progress?: (line: string) => void;
  /** Where built programs are kept: the same ones serve every clone of this user. */
  cacheDirectory?: string;
  go?: string;
  signal?: AbortSignal;
}

/** Built once per user, outside the clone; a program is built again only when something changes that it is made of. */
export const defaultCacheDirectory = (): string =>
  path.join(
    process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache'),
    'jeroboam',
    'management-cluster',
  );

/** Changes with everything that a program, or the manifests, are made of. */
function fingerprint(of: unknown, sources?: string): string {
  const hash = createHash('sha256');
  for (const file of ['go.mod', 'go.sum']) hash.update(readFileSync(path.join(moduleDirectory, file)));
  if (sources !== undefined)
    for (const file of readdirSync(path.join(moduleDirectory, sources)).toSorted())
      hash.update(file).update(readFileSync(path.join(moduleDirectory, sources, file)));
  hash.update(JSON.stringify(of)).update(`${process.platform} ${process.arch}`);
  return hash.digest('hex').slice(0, 16);
}

/** Everything is in a directory of its fingerprint and is put there whole: what is there is complete and current. */
function places(cache: string) {
  const programs = new Map(
    tools.map((tool) => [
      tool.name,
      path.join(cache, fingerprint(tool, tool === boxTool ? 'box' : undefined), tool.name),
    ]),
  );
  const manifests = path.join(cache, fingerprint(providers), 'manifests');
  const program = (name: string): string => {
    const place = programs.get(name);
    if (place === undefined) throw new Error(`${name} is no program of a management cluster`);
    return place;
  };
  const toolchain: Toolchain = { program, manifests: (provider) => path.join(manifests, provider) };
  return { toolchain, manifests, all: [...programs.values(), manifests] };
}

/** The programs, where all of them are built already. */
export function builtToolchain(cacheDirectory = defaultCacheDirectory()): Toolchain | null {
  const { toolchain, all } = places(cacheDirectory);
  return all.every((place) => existsSync(place)) ? toolchain : null;
}

/** The programs, built if they are not there yet. */
export async function ensureToolchain(options: ToolchainOptions = {}): Promise<Toolchain> {
  const cache = options.cacheDirectory ?? defaultCacheDirectory();
  const built = builtToolchain(cache);
  if (built !== null) return built;
  const go = options.go ?? 'go';
  const obstacle = platformObstacle() ?? (await goObstacle(go));
  if (obstacle !== null) throw new ManagementClusterError(obstacle);
  makeCache(cache);
  return whileBuilding(cache, () => buildMissing(go, cache, options), {
    waiting: () => options.progress?.('the management cluster is being built by another process'),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
}

function makeCache(cache: string): void {
  try {
    mkdirSync(cache, { recursive: true });
  } catch (error) {
    throw new ManagementClusterError(
      `the programs of the management cluster have no place to be kept (${(error as Error).message}): set XDG_CACHE_HOME to a directory that can be written`,
    );
  }
}

async function buildMissing(go: string, cache: string, options: ToolchainOptions): Promise<Toolchain> {
  const { toolchain, manifests } = places(cache);
  for (const [index, tool] of tools.entries()) {
    const target = toolchain.program(tool.name);
    if (existsSync(target)) continue;
    const what = `the management cluster is being built: ${tool.name} (${index + 1} of ${tools.length})`;
    await telling(what, options.progress, () => build(go, tool, target, options.signal));
  }
  if (!existsSync(manifests)) await copyManifests(go, manifests, options.signal);
  return toolchain;
}

const everyMs = 20_000;

/** Says what is going on at its beginning and every now and then, since a program can take minutes. */
async function telling(
  what: string,
  progress: ToolchainOptions['progress'],
  work: () => Promise<void>,
): Promise<void> {
  const begun = Date.now();
  progress?.(what);
  const timer = setInterval(
    () => progress?.(`${what}, ${Math.round((Date.now() - begun) / 1000)} s so far`),
    everyMs,
  );
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
}

const buildFlags = ['-buildvcs=false', '-mod=readonly', '-trimpath'];
/** Of this process alone: where a lock does not reach, as between containers, two may build the same at once. */
const half = (target: string): string => `${target}.${process.pid}.half`;

async function build(go: string, tool: Tool, target: string, signal?: AbortSignal): Promise<void> {
  mkdirSync(path.dirname(target), { recursive: true });
  const linker = ['-s', '-w', ...(tool.values ?? []).map((value) => `-X ${value}`)].join(' ');
  const made = half(target);
  try {
    await runGo(go, ['build', ...buildFlags, `-ldflags=${linker}`, '-o', made, tool.package], signal);
    renameSync(made, target);
  } finally {
    rmSync(made, { force: true });
  }
}

/** The manifests come out of the modules themselves, so that they are of the version that was built. */
async function copyManifests(go: string, target: string, signal?: AbortSignal): Promise<void> {
  const made = half(target);
  rmSync(made, { recursive: true, force: true });
  for (const { name, module, manifests } of providers) {
    const source = await runGo(go, ['list', '-mod=readonly', '-m', '-f', '{{.Dir}}', module], signal);
    for (const part of ['crd', 'webhook'])
      cpSync(path.join(source.trim(), manifests, part), path.join(made, name, part), { recursive: true });
  }
  try {
    renameSync(made, target);
  } catch (error) {
    if (!existsSync(target)) throw error;
    rmSync(made, { recursive: true, force: true });
  }
}
