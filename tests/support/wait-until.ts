/**
 * Waits until something holds, looking every 100 ms.
 *
 * @param seconds a guard against hanging, far above what a busy machine needs: less only where the time is what is tested.
 * @throws after the time is over.
 */
export async function waitUntil(holds: () => boolean | Promise<boolean>, what: string, seconds = 180): Promise<void> {
  const ends = performance.now() + seconds * 1000;
  while (!(await holds())) {
    if (performance.now() > ends) throw new Error(`not within ${seconds} s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
