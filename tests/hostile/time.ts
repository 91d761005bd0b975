/** Waits; ends early without an error when the signal aborts. */
export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) return resolve();
    const timer = setTimeout(done, milliseconds);
    function done(): void {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    }
    signal?.addEventListener("abort", done);
  });
}

/** The result of some work, or undefined if it is not there in time. The work itself goes on. */
export async function within<Result>(milliseconds: number, work: Promise<Result>): Promise<Result | undefined> {
  const late = new AbortController();
  const result = await Promise.race([work, sleep(milliseconds, late.signal).then(() => undefined)]);
  late.abort();
  return result;
}
