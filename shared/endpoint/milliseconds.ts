/** Hundredths are as fine as the clocks of the platforms we run on. */
export function milliseconds(elapsed: number): number {
  return Math.round(elapsed * 100) / 100;
}
