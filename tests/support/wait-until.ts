/** Waits until something holds, looking every 100 ms. @throws after the time is over. */
export async function waitUntil(holds: () => boolean | Promise<boolean>, seconds: number, what: string): Promise<void> {
  const ends = performance.now() + seconds * 1000;
  while (!(await holds())) {
    if (performance.now() > ends) throw new Error(`not within ${seconds} s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
