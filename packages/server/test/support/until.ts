/** The answer once it is as wanted; throws with the last one when it never is. */
export async function until<T>(
  ask: () => T | Promise<T>,
  isWanted: (answer: T) => boolean,
  limitMs = 15_000,
): Promise<T> {
  const deadline = Date.now() + limitMs;
  for (;;) {
    const answer = await ask();
    if (isWanted(answer)) return answer;
    if (Date.now() > deadline) throw new Error(`never as wanted; last: ${JSON.stringify(answer)}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
