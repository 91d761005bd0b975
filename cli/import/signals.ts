/** Turns Ctrl-C and a request to end into an abort signal, so that the batch at hand can be finished. */
export function watchSignals(): { signal: AbortSignal; release(): void } {
  const controller = new AbortController();
  const stop = () => controller.abort();
  // A terminal's Ctrl-C arrives twice, once by way of local/deno.mjs: the second changes nothing.
  const names = ["SIGINT", "SIGTERM"] as const;
  for (const name of names) process.on(name, stop);
  return {
    signal: controller.signal,
    release() {
      for (const name of names) process.off(name, stop);
    },
  };
}
