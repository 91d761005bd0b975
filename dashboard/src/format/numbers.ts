const whole = new Intl.NumberFormat("en-US");
const percent = new Intl.NumberFormat("en-US", { style: "percent", maximumFractionDigits: 1 });

/** 12,345 */
export function formatCount(count: number): string {
  return whole.format(count);
}

/** 12.3%, or a dash if `all` is 0. */
export function formatShare(part: number, all: number): string {
  return all === 0 ? "–" : percent.format(part / all);
}

/** The slowest bucket of the usage histogram, which includes everything slower. */
const slowestMs = 10_000;

/** 22 ms, 1.7 s, or a dash if nothing was measured. */
export function formatLatency(milliseconds: number | null): string {
  if (milliseconds === null) return "–";
  if (milliseconds >= slowestMs) return "10 s or more";
  return milliseconds < 1000 ? `${whole.format(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}

/** "1 request", "2 requests". `words` is the plural where it is not the word with an s. */
export function plural(count: number, word: string, words = `${word}s`): string {
  return `${formatCount(count)} ${count === 1 ? word : words}`;
}

const byteUnits = ["byte", "kilobyte", "megabyte", "gigabyte"] as const;

/** 512 byte, 34 kB, 1.2 MB */
export function formatBytes(bytes: number): string {
  const power = Math.min(byteUnits.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const unit = byteUnits[power] ?? "byte";
  return new Intl.NumberFormat("en-US", { style: "unit", unit, maximumFractionDigits: 1 }).format(
    bytes / 1000 ** power,
  );
}

const dollars = new Intl.NumberFormat("en-US", {
  style: "currency",
  currency: "USD",
  notation: "compact",
  maximumFractionDigits: 1,
});

/** $25K – $250K, "up to $250K", "from $25K", or a dash: amounts of an opportunity. */
export function formatAmounts(least: number | null | undefined, most: number | null | undefined): string {
  const [from, to] = [least ?? 0, most ?? 0];
  if (from > 0 && to > 0) return from === to ? dollars.format(to) : `${dollars.format(from)} – ${dollars.format(to)}`;
  if (to > 0) return `up to ${dollars.format(to)}`;
  return from > 0 ? `from ${dollars.format(from)}` : "–";
}
