import type { EndpointWarning, RpcClient } from "../../shared/database/rpc.ts";
import type { Log } from "../../shared/log/log.ts";
import type { AttemptResult } from "./attempt.ts";
import { callOrThrow } from "./call.ts";

/** Results of one call. A response body is up to 16 KiB. */
const batchSize = 100;
/** Times that a result is written before it is dropped. Its delivery is then attempted again. */
const maximumTries = 3;

/** Writes the results of attempts in batches: while one batch is being written, the next gathers. */
export class ResultWriter {
  #pending: { result: AttemptResult; tries: number }[] = [];
  #writing: Promise<void> | undefined;

  constructor(
    private readonly database: RpcClient,
    private readonly log: Log,
  ) {}

  get isIdle(): boolean {
    return this.#pending.length === 0 && this.#writing === undefined;
  }

  add(result: AttemptResult): void {
    this.#pending.push({ result, tries: 0 });
    void this.flush();
  }

  /** Resolves when everything added so far has been written, or could not be. */
  async flush(): Promise<void> {
    if (this.#writing === undefined && this.#pending.length > 0) this.#writing = this.#writeAll();
    return this.#writing;
  }

  async #writeAll(): Promise<void> {
    try {
      while (this.#pending.length > 0) {
        const batch = this.#pending.splice(0, batchSize);
        const results = batch.map(({ result }) => result);
        try {
          const { warnings } = await callOrThrow(this.database, "finish_deliveries", { results });
          for (const warning of warnings) this.#warn(warning);
        } catch (error) {
          this.log.write("error", { function: "dispatch", error: String(error) });
          const again = batch.filter(({ tries }) => tries + 1 < maximumTries);
          this.#pending.push(...again.map(({ result, tries }) => ({ result, tries: tries + 1 })));
        }
      }
    } finally {
      // In the same step as the last look at the results: one that is added after it begins a write of its own.
      this.#writing = undefined;
    }
  }

  /** Logs an endpoint that keeps failing or was disabled. */
  #warn({ disabled_reason, ...warning }: EndpointWarning): void {
    this.log.write("warning", { function: "dispatch", ...warning, disabled_reason: disabled_reason ?? undefined });
  }
}
