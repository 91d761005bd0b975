const firstDelayMs = 500;
const longestDelayMs = 10_000;

/** Half a second after the first failure in a row, twice as long after each further one, ten seconds at most. */
export function retryDelayMs(failures: number): number {
  return Math.min(longestDelayMs, firstDelayMs * 2 ** (failures - 1)) * (0.75 + Math.random() / 2);
}

/**
 * Whether the database read a batch and found it wrong, so that it would again: SQLSTATE classes 22 (data) and 23
 * (constraints). Whatever else went wrong may be mended while we wait.
 */
export function isRefused(code: string): boolean {
  return /^2[23]/.test(code);
}
