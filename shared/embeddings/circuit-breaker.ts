/** Thresholds and times of a circuit breaker. */
export interface BreakerPolicy {
  /** Failures in a row that open the circuit. */
  failures: number;
  openMs: number;
  /** Longest time that a provider's `Retry-After` keeps the circuit open. */
  longestOpenMs: number;
}

/**
 * Circuit breaker (Nygard, "Release It!"): spares callers the wait for a provider that is down. After some failures in a
 * row the circuit is open, and the provider is not called. After `openMs`, one caller tries the provider. The circuit
 * stays open for the others until that call succeeds, or for `openMs` again.
 */
export class CircuitBreaker {
  #failures = 0;
  #openUntil = 0;

  constructor(
    private readonly policy: BreakerPolicy,
    private readonly now: () => number = Date.now,
  ) {}

  /** Whether the caller may call the provider now. If so, it must report the outcome. */
  admits(): boolean {
    if (this.#openUntil === 0) return true;
    if (this.now() < this.#openUntil) return false;
    this.#openUntil = this.now() + this.policy.openMs;
    return true;
  }

  /** Reports that the provider answered. Closes the circuit. */
  succeeded(): void {
    this.#failures = 0;
    this.#openUntil = 0;
  }

  /**
   * Reports that the provider failed.
   *
   * @param retryAfterMs pause that the provider asked for. It opens the circuit at once.
   */
  failed(retryAfterMs?: number): void {
    this.#failures += 1;
    if (this.#failures < this.policy.failures && retryAfterMs === undefined) return;
    const { openMs, longestOpenMs } = this.policy;
    this.#openUntil = this.now() + Math.min(Math.max(openMs, retryAfterMs ?? 0), longestOpenMs);
  }
}
