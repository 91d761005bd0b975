import { bucketBoundsMs } from "../shared/usage/recorder.ts";

/** Requests by bucket of response time: one number for each of `bucketBoundsMs`, and one for all that were slower. */
export type Counts = readonly number[];

/** The same by endpoint. */
export type CountsByEndpoint = ReadonlyMap<string, Counts>;

/** Numbers in `Counts`. */
export const bucketCount = bucketBoundsMs.length + 1;

/**
 * Requests between two readings of counters. Those of an endpoint with a counter that went down are not known, and left out: the
 * counters are the database's, and go down only where it was restored or replaced.
 */
export function countsBetween(before: CountsByEndpoint, after: CountsByEndpoint): CountsByEndpoint {
  const increases = [...after].map(([endpoint, counts]) => {
    const base = before.get(endpoint) ?? [];
    return [endpoint, counts.map((count, bucket) => count - (base[bucket] ?? 0))] as const;
  });
  return new Map(increases.filter(([, counts]) => counts.every((count) => count >= 0) && sum(counts) > 0));
}

/** Adds counts, endpoint by endpoint. */
export function addByEndpoint(parts: Iterable<CountsByEndpoint>): CountsByEndpoint {
  const added = new Map<string, Counts>();
  for (const part of parts) {
    for (const [endpoint, counts] of part) added.set(endpoint, addCounts([added.get(endpoint) ?? [], counts]));
  }
  return added;
}

/** Adds counts, bucket by bucket. */
export function addCounts(parts: Iterable<Counts>): Counts {
  const added = new Array<number>(bucketCount).fill(0);
  for (const part of parts) for (const [bucket, count] of part.entries()) added[bucket] = (added[bucket] ?? 0) + count;
  return added;
}

/** Response time that a share of the requests do not exceed. */
export interface Quantile {
  ms: number;
  /** Whether it is more than that: it lies in the bucket without an upper bound. */
  isMore: boolean;
}

/** Quantile of counts, with the requests of a bucket evenly spread in it as Prometheus' `histogram_quantile` has them. */
export function quantile(counts: Counts, share: number): Quantile | undefined {
  const rank = share * sum(counts);
  let below = 0;
  for (const [bucket, count] of counts.entries()) {
    if (count > 0 && below + count >= rank) {
      const lower = bucketBoundsMs[bucket - 1] ?? 0;
      const upper = bucketBoundsMs[bucket];
      if (upper === undefined) return { ms: lower, isMore: true };
      return { ms: lower + (upper - lower) * ((rank - below) / count), isMore: false };
    }
    below += count;
  }
  return undefined;
}

function sum(counts: Counts): number {
  return counts.reduce((total, count) => total + count, 0);
}
