/** Sends one request to its end. */
export type Send = () => Promise<unknown>;

/** Keeps so many requests under way for a time. @returns requests a second. */
export async function closedLoop(send: Send, connections: number, seconds: number): Promise<number> {
  const start = performance.now();
  let sent = 0;
  const connection = async () => {
    while (performance.now() - start < seconds * 1000) {
      await send();
      sent += 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, connection));
  return (sent / (performance.now() - start)) * 1000;
}

/** Arrivals that are not answered yet; beyond this the service has stood still and more would tell nothing. */
const mostOpen = 5_000;

/**
 * Sends at a rate, whether or not answers come: as a crowd does. Resolves when all are answered.
 *
 * @throws when thousands wait for an answer.
 */
export async function openLoop(send: Send, perSecond: number, seconds: number): Promise<void> {
  const start = performance.now();
  const open = new Set<Promise<unknown>>();
  let sent = 0;
  for (let elapsed = 0; elapsed < seconds; elapsed = (performance.now() - start) / 1000) {
    while (sent < elapsed * perSecond) {
      sent += 1;
      const one = send().finally(() => open.delete(one));
      open.add(one);
    }
    if (open.size > mostOpen) throw new Error(`${open.size} requests wait for an answer`);
    await new Promise((resolve) => setTimeout(resolve, 4));
  }
  await Promise.all(open);
}
