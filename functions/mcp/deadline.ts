/**
 * Runs work that is given up at a deadline. The work's signal aborts then, or when `parent` aborts.
 *
 * @returns undefined at the deadline, whether or not the work ends.
 */
export async function runWithDeadline<Value>(
  ms: number,
  parent: AbortSignal,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value | undefined> {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const deadline = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => {
      // First: work that ends because it is aborted did not end in time.
      resolve(undefined);
      controller.abort();
    }, ms);
  });
  try {
    return await Promise.race([work(AbortSignal.any([parent, controller.signal])), deadline]);
  } finally {
    clearTimeout(timer);
  }
}
