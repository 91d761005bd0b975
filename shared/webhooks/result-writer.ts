import type { EndpointWarning, RpcClient } from "../database/rpc.ts";
import type { Log } from "../log/log.ts";
import type { AttemptResult } from "./attempt.ts";

/** The most that one call writes. An answer is up to 16 KiB. */
const batchSize = 100;
/** How often results that could not be written are tried again. What is not written is attempted again. */
const maximumTries = 3;

/** Writes the results of attempts in batches: while one is on its way, what ends meanwhile gathers for the next. */
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
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined;
    });
    return this.#writing;
  }

  async #writeAll(): Promise<void> {
    while (this.#pending.length > 0) {
      const batch = this.#pending.splice(0, batchSize);
      const outcome = await this.database.call("finish_deliveries", { results: batch.map(({ result }) => result) });
      if (outcome.ok) {
        for (const warning of outcome.value.warnings) this.#warn(warning);
        continue;
      }
      this.log.write("error", { function: "dispatch", error: outcome.failure.message });
      this.#pending.push(
        ...batch
          .filter(({ tries }) => tries + 1 < maximumTries)
          .map(({ result, tries }) => ({ result, tries: tries + 1 })),
      );
    }
  }

  /** An endpoint that keeps failing, or was disabled, is for the operator. */
  #warn({ disabled_reason, ...warning }: EndpointWarning): void {
    this.log.write("warning", { function: "dispatch", ...warning, disabled_reason: disabled_reason ?? undefined });
  }
}
