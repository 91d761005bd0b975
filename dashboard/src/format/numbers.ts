const whole = new Intl.NumberFormat("en-US");
const percent = new Intl.NumberFormat("en-US", { style: "percent", maximumFractionDigits: 1 });

/** 12,345 */
export function formatCount(count: number): string {
  return whole.format(count);
}

/** 12.3%, or a dash where there is nothing to be a share of. */
export function formatShare(part: number, all: number): string {
  return all === 0 ? "–" : percent.format(part / all);
}

/** The slowest bucket that usage knows stands for everything slower, too. */
const slowestMs = 10_000;

/** 22 ms, 1.7 s, or a dash where nothing was measured. */
export function formatLatency(milliseconds: number | null): string {
  if (milliseconds === null) return "–";
  if (milliseconds >= slowestMs) return "10 s or more";
  return milliseconds < 1000 ? `${whole.format(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}

/** "1 request", "2 requests" */
export function plural(count: number, word: string): string {
  return `${formatCount(count)} ${word}${count === 1 ? "" : "s"}`;
}
