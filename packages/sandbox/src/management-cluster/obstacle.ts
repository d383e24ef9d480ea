import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { goObstacle, platformObstacle } from './go.ts';
import { builtToolchain } from './toolchain.ts';

const run = promisify(execFile);

/**
 * What keeps this machine from having a management cluster in a box, in one sentence; null: nothing that can be seen at once.
 * Takes a few hundredths of a second.
 */
export async function managementClusterObstacle(
  options: { cacheDirectory?: string; go?: string; unshare?: string } = {},
): Promise<string | null> {
  return (
    platformObstacle() ??
    (await namespaceObstacle(options.unshare ?? 'unshare')) ??
    (builtToolchain(options.cacheDirectory) === null ? await goObstacle(options.go ?? 'go') : null)
  );
}

/** Tries namespaces of the kind that the box makes. Without the tool it stays open, and the box says it when it starts. */
async function namespaceObstacle(unshare: string): Promise<string | null> {
  const isRoot = process.getuid?.() === 0;
  const args = [...(isRoot ? [] : ['--user', '--map-root-user']), '--net', '--pid', '--fork', '--', 'true'];
  try {
    await run(unshare, args, { timeout: 5_000 });
    return null;
  } catch (error) {
    const { code, stderr = '' } = error as { code?: unknown; stderr?: string };
    if (code === 'ENOENT') return null;
    const why = stderr.trim().split('\n').at(-1) ?? '';
    return `a management cluster in a box needs network and process namespaces, which this machine refuses (${why}): run as root, allow user namespaces, or give --kubeconfig`;
  }
}
