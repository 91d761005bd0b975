import { LruCache } from "../lru-cache.ts";

/** Requests at once of an address that was away for a minute, and those that it gets back each second. */
const burst = 60;
const perSecond = 1;
/** Addresses that are remembered. One that is forgotten begins anew. */
const rememberedAddresses = 20_000;

interface Bucket {
  tokens: number;
  at: number;
}

/**
 * Limit of visitors without a key, by address: a token bucket each, in the memory of one isolate or process. The addresses of an IPv6 network (/64),
 * all of which one visitor may have, count as one.
 */
export class VisitorLimit {
  readonly #buckets = new LruCache<Bucket>(rememberedAddresses);

  /** @param now the clock, in milliseconds. */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /**
   * Counts a request.
   *
   * @param address undefined where the platform does not know it: then there is no limit but that of all visitors together.
   * @returns seconds to wait before the next request; 0 where this one may go on.
   */
  take(address: string | undefined): number {
    if (address === undefined) return 0;
    const network = networkOf(address);
    const at = this.now();
    const known = this.#buckets.get(network) ?? { tokens: burst, at };
    const tokens = Math.min(burst, known.tokens + ((at - known.at) / 1_000) * perSecond);
    const isLeft = tokens >= 1;
    this.#buckets.set(network, { tokens: isLeft ? tokens - 1 : tokens, at });
    return isLeft ? 0 : Math.ceil((1 - tokens) / perSecond);
  }
}

/** The first four groups of an IPv6 address; another address as it is. */
function networkOf(address: string): string {
  if (!address.includes(":")) return address;
  const [start = "", end] = address.split("::");
  const groups = start === "" ? [] : start.split(":");
  const after = end === undefined || end === "" ? [] : end.split(":");
  const zeros = end === undefined ? 0 : 8 - groups.length - after.length;
  return [...groups, ...Array<string>(Math.max(0, zeros)).fill("0"), ...after].slice(0, 4).join(":");
}
