/**
 * Upper bounds of the response-time buckets, in milliseconds, each about 1.5 times the last: a
 * percentile read from them is right to within a half.
 */
export const bucketBoundsMs = [
  1, 2, 3, 5, 7, 10, 15, 22, 33, 50, 75, 110, 165, 250, 375, 560, 850, 1300, 2000, 3000, 4500, 7000, 10000,
];

/** The bucket of everything slower. */
export const slowestBucketMs = 2_147_483_647;

export function latencyBucketMs(elapsedMs: number): number {
  return bucketBoundsMs.find((bound) => elapsedMs <= bound) ?? slowestBucketMs;
}
