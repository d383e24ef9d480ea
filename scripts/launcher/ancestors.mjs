// `npm start` is a chain: npm, perhaps a shell, this launcher, the service. Whoever kills npm means the service,
// but a killed npm passes nothing on; so the launcher looks now and then whether the chain above it still stands.

import { readFileSync } from 'node:fs';

const everyMs = 1_000;

/** Calls `onGone` once when npm, or the shell between npm and us, has died. */
export function watchAncestors(onGone) {
  const chain = chainUpToNpm();
  const timer = setInterval(() => {
    if (chain.every(({ child, parent }) => parentOf(child) === parent)) return;
    clearInterval(timer);
    onGone();
  }, everyMs);
  timer.unref();
}

/** The links that must hold. Above npm is the user's own shell, which may come and go (`nohup npm start &`). */
function chainUpToNpm() {
  const first = { child: process.pid, parent: process.ppid };
  if (isNpm(process.ppid)) return [first];
  const above = parentOf(process.ppid);
  return above !== undefined && isNpm(above) ? [first, { child: process.ppid, parent: above }] : [first];
}

function parentOf(pid) {
  if (pid === process.pid) return process.ppid;
  try {
    // "pid (name) state parent …": the name may hold spaces and brackets, so count from its last bracket.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined;
  }
}

/** npm sets its title, which is what the system then shows as its command line. */
function isNpm(pid) {
  try {
    return /^(npm|npx)\b/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
  } catch {
    return false;
  }
}
