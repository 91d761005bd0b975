import type { ClaimedEmbeddings, RpcClient } from "../../shared/database/rpc.ts";
import { embedTexts, estimateTokens } from "../../shared/embeddings/embed-texts.ts";
import { EmbeddingError } from "../../shared/embeddings/errors.ts";
import { createProvider } from "../../shared/embeddings/models.ts";
import type { EmbeddingPlatform, EmbeddingProvider, Embeddings } from "../../shared/embeddings/provider.ts";
import { withDeadline } from "../../shared/embeddings/retry.ts";
import { vectorText } from "../../shared/embeddings/vector.ts";
import type { Log } from "../../shared/log/log.ts";

/** Time limits of one claim's requests together, and of each, in milliseconds. The claim lasts four times as long. */
const limitMs = { all: 30_000, request: 20_000 };
/** Waits before results that could not be written are written again, in milliseconds. Then their records are embedded again. */
const writeAgainMs = [500, 2_000, 5_000];
/** Text that no provider has a reason to refuse. */
const harmlessText = "funding";

type Claim = Extract<ClaimedEmbeddings, { claimed_until: string }>;

interface ClaimContext {
  database: RpcClient;
  log: Log;
  platform: EmbeddingPlatform;
  /** Aborts the request under way. */
  signal?: AbortSignal | undefined;
}

/** Ends a claim without a failure: its requests or its time are used up, or the dispatcher stops. The other records wait for the next claim. */
class ClaimEnded extends Error {}

/** Embeds the records of a claim, and writes the results. Without a result, records are claimed again later. Never throws. */
export async function embedClaim(claim: Claim, context: ClaimContext): Promise<void> {
  const { model, records } = claim;
  const results = new Map<number, { vector: string } | { refusal: string }>();
  let spending: Spending | undefined;
  let failure: EmbeddingError | undefined;
  try {
    spending = new Spending(createProvider(model, context.platform), claim.requests, context.signal);
    const { request } = spending;
    for await (const item of embedTexts(
      refusingFaultyTexts(request),
      records.map(({ body }) => body),
    )) {
      if ("vectors" in item) {
        for (const [index, vector] of item.vectors.entries()) {
          results.set(item.first + index, { vector: vectorText(vector) });
        }
      } else {
        // A provider that refuses everything is at fault itself, and no record is set aside.
        if (!spending.hasSucceeded) await request([harmlessText]).catch(throwRefusedAll);
        results.set(item.first, { refusal: item.refusal.message });
      }
    }
  } catch (error) {
    if (!(error instanceof ClaimEnded)) failure = toFailure(error);
  }
  tell(claim, results, failure, context.log);
  await finish(claim, context, {
    batch: records.map(({ body: _, ...text }, index) => ({ ...text, ...results.get(index) })),
    spent: {
      tokens: spending?.tokens ?? 0,
      requests: spending?.requests ?? 0,
      reserved_tokens: claim.tokens,
      reserved_requests: claim.requests,
      failure: failure?.message,
      retry_after_seconds: failure?.retryAfterMs === undefined ? undefined : failure.retryAfterMs / 1_000,
    },
  });
}

/** Requests of one claim, and what they cost. */
class Spending {
  requests = 0;
  tokens = 0;
  hasSucceeded = false;
  readonly #ends = performance.now() + limitMs.all;

  constructor(
    private readonly provider: EmbeddingProvider,
    private readonly mostRequests: number,
    private readonly signal: AbortSignal | undefined,
  ) {}

  /** Makes one request. @throws {ClaimEnded | EmbeddingError} */
  readonly request = async (texts: readonly string[]): Promise<Embeddings> => {
    const leftMs = this.#ends - performance.now();
    if (this.signal?.aborted || this.requests >= this.mostRequests || leftMs <= 0) throw new ClaimEnded();
    this.requests += 1;
    try {
      const answer = await withDeadline(Math.min(limitMs.request, leftMs), this.signal, (limit) =>
        this.provider.embed(texts, limit),
      );
      this.tokens += answer.tokens ?? estimateTokens(texts);
      this.hasSucceeded = true;
      return answer;
    } catch (error) {
      // The provider may bill what it embedded in vain.
      const failure = error instanceof EmbeddingError ? error.failure : undefined;
      if (failure === "timeout" || failure === "invalid") this.tokens += estimateTokens(texts);
      throw this.signal?.aborted ? new ClaimEnded() : error;
    }
  };
}

/** Makes one request. */
type Request = (texts: readonly string[]) => Promise<Embeddings>;

/**
 * Takes it as a refusal of the texts where the provider fails at them and at no other text: some models compute NaN for one, and would fail for ever. A
 * single text is tried twice.
 */
function refusingFaultyTexts(request: Request): Request {
  let isElsewhereFine = false;
  return async (texts) => {
    try {
      return await request(texts);
    } catch (error) {
      const failure = error instanceof EmbeddingError ? error.failure : undefined;
      if (failure !== "failed" && failure !== "invalid") throw error;
      if (!isElsewhereFine) {
        await request([harmlessText]).catch(() => {
          throw error;
        });
        isElsewhereFine = true;
      }
      if (texts.length === 1) {
        const again = await request(texts).catch((second: unknown) => {
          if (second instanceof ClaimEnded) throw second;
        });
        if (again !== undefined) return again;
      }
      throw new EmbeddingError("refused", (error as EmbeddingError).message);
    }
  };
}

function throwRefusedAll(error: unknown): never {
  if (!(error instanceof EmbeddingError && error.failure === "refused")) throw error;
  throw new EmbeddingError(
    "unconfigured",
    `${error.message} to every text. Perhaps it refuses the parameter dimensions: OPENAI_SEND_DIMENSIONS=false leaves it out`,
  );
}

/** Hides the message of an unexpected error, which may repeat the texts that were sent. */
function toFailure(error: unknown): EmbeddingError {
  return error instanceof EmbeddingError ? error : new EmbeddingError("unconfigured", "the provider cannot be used");
}

function tell(
  { model, records }: Claim,
  results: ReadonlyMap<number, { vector: string } | { refusal: string }>,
  failure: EmbeddingError | undefined,
  log: Log,
): void {
  if (failure !== undefined) log.write("warning", { function: "dispatch", error: `${model}: ${failure.message}` });
  for (const [index, result] of results) {
    if (!("refusal" in result)) continue;
    const record_id = records[index]?.id;
    log.write("warning", { function: "dispatch", record_id, error: `${model}: set aside: ${result.refusal}` });
  }
}

async function finish(
  { model, claimed_until }: Claim,
  { database, log }: ClaimContext,
  results: { batch: object; spent: object },
): Promise<void> {
  for (const wait of [...writeAgainMs, undefined]) {
    const written = await database.call("finish_embeddings", { model, claimed_until, ...results });
    if (written.ok) return;
    log.write("error", { function: "dispatch", error: `finish_embeddings: ${written.failure.message}` });
    if (wait !== undefined) await new Promise((resolve) => setTimeout(resolve, wait));
  }
}
