// How the launcher speaks: one line at a time on stderr, because stdout belongs to the program it starts.

/** Something the person at the keyboard can understand and mend: shown as one sentence, without a stack. */
export class LaunchError extends Error {
  constructor(message, exitCode = 1) {
    super(message);
    this.name = 'LaunchError';
    this.exitCode = exitCode;
  }
}

export function say(sentence) {
  process.stderr.write(`jeroboam: ${sentence}\n`);
}

export function complain(sentence) {
  process.stderr.write(`jeroboam: error: ${sentence}\n`);
}

/** Announces a long step, says now and again that it is still going on, and how long it took. */
export async function progress(what, work) {
  const begun = Date.now();
  const seconds = () => Math.round((Date.now() - begun) / 1000);
  say(`${what} …`);
  const timer = setInterval(() => say(`${what} … (${seconds()} s)`), 15_000);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  say(`${what}: done in ${seconds()} s`);
}
