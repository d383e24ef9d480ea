import { spawn } from 'node:child_process';

import { root } from './root.mjs';

/** Runs one tool of node_modules with the Node that runs us; answers its exit code. */
export function execute(tool, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [tool, ...args], { cwd: root, stdio: 'inherit' });
    child.on('error', reject);
    child.on('exit', (code, signal) => resolve(signal === null ? code : 1));
  });
}
