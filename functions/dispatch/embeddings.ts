import type { EmbeddingPlatform } from "../../shared/embeddings/provider.ts";
import { callOrThrow } from "./call.ts";
import { availableProviders } from "./embedding-providers.ts";
import type { WorkContext } from "./endpoint-work.ts";

/** Time from one look for records that wait for a vector to the next, in milliseconds, and after a failure of the database. */
const pollMs = { waiting: 5_000, failed: 30_000 };
/** Records of one claim. */
const batchSize = 100;

/**
 * Gives records that are new or whose text changed their vectors by the external model, beside the dispatcher's other work. The queue, the budget and
 * the pauses after failures are the database's (supabase/schemas/index/fit/embedding_queue.sql).
 */
export class Embeddings {
  #underWay: Promise<void> | undefined;
  #nextPoll = 0;
  #hasToldMissing = false;

  /** @param signal aborts the request under way. Its records are claimed again. */
  constructor(
    private readonly context: WorkContext,
    private readonly platform: EmbeddingPlatform | undefined,
    private readonly signal?: AbortSignal,
  ) {}

  /** Looks for records that wait, if it is time and none are being embedded. Returns at once, and never throws. */
  run(): void {
    const { platform } = this;
    if (platform === undefined || this.#underWay !== undefined || performance.now() < this.#nextPoll) return;
    this.#nextPoll = performance.now() + pollMs.waiting;
    this.#underWay = this.#embedAll(platform)
      .catch((error: unknown) => {
        this.context.log.write("error", { function: "dispatch", error: String(error) });
        this.#nextPoll = performance.now() + pollMs.failed;
      })
      .finally(() => {
        this.#underWay = undefined;
      });
  }

  /** Resolves when nothing is being embedded. */
  async settled(): Promise<void> {
    await this.#underWay;
  }

  async #embedAll(platform: EmbeddingPlatform): Promise<void> {
    const { database, log, isOver } = this.context;
    const providers = availableProviders(platform);
    while (!isOver()) {
      const claim = await callOrThrow(database, "claim_embeddings", { providers, maximum: batchSize });
      if (!("claimed_until" in claim)) return this.#tellMissing(claim.model, providers);
      // Loaded here: most deployments have no external model.
      const { embedClaim } = await import("./embed-claim.ts");
      await embedClaim(claim, { database, log, platform, signal: this.signal });
      // Such a model runs in this function, whose processor time is for one claim.
      if (claim.model.startsWith("supabase/")) return;
    }
  }

  /** Logs that this deployment cannot ask the model's provider. */
  #tellMissing(model: string | null, providers: readonly string[]): void {
    if (model === null || providers.includes(model.split("/")[0] ?? "") || this.#hasToldMissing) return;
    this.#hasToldMissing = true;
    const error = `no records are embedded from here: the provider of ${model} is not set up`;
    this.context.log.write("warning", { function: "dispatch", error });
  }
}
