/** Failures in a row after which a provider is left alone, and for how long. */
export interface BreakerPolicy {
  failures: number;
  openMs: number;
  /** The longest that a provider's own wish to be left alone is heeded. */
  longestOpenMs: number;
}

/**
 * Spares callers the wait for a provider that is down (the circuit breaker of Nygard's "Release It!"). After some
 * failures in a row it is open: nobody asks. Once the time is over one caller tries, and the others wait for what
 * comes of it, at most as long again.
 */
export class CircuitBreaker {
  #failures = 0;
  #openUntil = 0;

  constructor(
    private readonly policy: BreakerPolicy,
    private readonly now: () => number = Date.now,
  ) {}

  /** Whether the provider may be asked now. Whoever is told yes says how it went. */
  admits(): boolean {
    if (this.#openUntil === 0) return true;
    if (this.now() < this.#openUntil) return false;
    this.#openUntil = this.now() + this.policy.openMs;
    return true;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#openUntil = 0;
  }

  /** @param retryAfterMs for how long the provider asked to be left alone, which opens the circuit at once. */
  failed(retryAfterMs?: number): void {
    this.#failures += 1;
    if (this.#failures < this.policy.failures && retryAfterMs === undefined) return;
    const { openMs, longestOpenMs } = this.policy;
    this.#openUntil = this.now() + Math.min(Math.max(openMs, retryAfterMs ?? 0), longestOpenMs);
  }
}
