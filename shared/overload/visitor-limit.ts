import ipaddr from "ipaddr.js";
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
   * @param cost part of a request that it counts as.
   * @param address undefined where the platform does not know it: then there is no limit but that of all visitors together.
   * @returns seconds to wait before the next request; 0 where this one may go on.
   */
  take(address: string | undefined, cost = 1): number {
    if (address === undefined) return 0;
    const network = networkOf(address);
    const at = this.now();
    const known = this.#buckets.get(network) ?? { tokens: burst, at };
    const tokens = Math.min(burst, known.tokens + ((at - known.at) / 1_000) * perSecond);
    const isLeft = tokens >= cost;
    this.#buckets.set(network, { tokens: isLeft ? tokens - cost : tokens, at });
    return isLeft ? 0 : Math.ceil((cost - tokens) / perSecond);
  }
}

/** The network of an IPv6 address, which is in its canonical form; an IPv4 address as it is. */
function networkOf(address: string): string {
  return address.includes(":") ? ipaddr.IPv6.networkAddressFromCIDR(`${address}/64`).toString() : address;
}
