// Which Node runs the product: the one we were started with where it is new enough, otherwise the one that an
// optional dependency has brought.

import { existsSync } from 'node:fs';
import path from 'node:path';

import { LaunchError } from './report.mjs';

/** The oldest Node on which all of our libraries run, and which strips types from TypeScript by itself. */
const oldest = [22, 19];

export function isNewEnough(version) {
  const [major, minor] = version.split('.').map(Number);
  return major > oldest[0] || (major === oldest[0] && minor >= oldest[1]);
}

export function chooseNode(root) {
  if (isNewEnough(process.versions.node)) return process.execPath;
  const bundled = path.join(root, `node_modules/node-${process.platform}-${process.arch}/bin/node`);
  if (existsSync(bundled)) return bundled;
  throw new LaunchError(
    `this is Node ${process.versions.node} and no newer one is bundled for ${process.platform}-${process.arch}: ` +
      `install Node ${oldest.join('.')} or newer and try again`,
    2,
  );
}
