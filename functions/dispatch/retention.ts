import type { EmbeddingPlatform } from "../../shared/embeddings/provider.ts";
import { callOrThrow, failureError } from "./call.ts";
import { Digests } from "./digests.ts";
import { applyDueDates } from "./due-dates.ts";
import { Embeddings } from "./embeddings.ts";
import type { BatchResult, WorkContext } from "./endpoint-work.ts";
import { type MailPlatform, withoutMail } from "./mail/platform.ts";
import { sealRecords } from "./sealing.ts";

/** Rows that one call deletes or rolls up. docs/operate/scaling.md has the time that it takes. */
export const pruneBatchSize = 1_000;

/**
 * Deletes or rolls up rows that are older than their table's retention: a batch of one table a call, each in a transaction of its own,
 * one table after the other. A table that fails is logged, and left alone until the next look; the others go on.
 */
export class Retention {
  /** Tables that may have more overdue rows, the next one first. */
  #tables: string[] = [];
  /** Rows by table since the last log line. */
  #rows = new Map<string, number>();

  constructor(private readonly context: WorkContext) {}

  /** Runs one batch. Without a table that is known to have overdue rows, looks for them first. */
  async runBatch(): Promise<BatchResult> {
    const { database, log } = this.context;
    if (this.#tables.length === 0) {
      this.#tables = [...(await callOrThrow(database, "list_overdue_tables", {}))];
    }
    const table_name = this.#tables.shift();
    if (table_name === undefined) return { found: 0, made: 0 };
    const outcome = await database.call("prune_table", { table_name, maximum: pruneBatchSize });
    if (outcome.ok) {
      const { rows } = outcome.value;
      this.#rows.set(table_name, (this.#rows.get(table_name) ?? 0) + rows);
      // Fewer: the rest is locked, or there is none.
      if (rows === pruneBatchSize) this.#tables.push(table_name);
    } else {
      log.write("error", {
        function: "dispatch",
        error: failureError(`prune_table ${table_name}`, outcome.failure).message,
      });
    }
    if (this.#tables.length === 0) this.end();
    return { found: this.#tables.length, made: 0 };
  }

  /** Logs the numbers of rows that were deleted or rolled up since the last time. */
  end(): void {
    for (const [table, rows] of this.#rows) {
      if (rows > 0) this.context.log.write("info", { function: "dispatch", table, pruned: rows });
    }
    this.#rows = new Map();
  }
}

/**
 * The dispatcher's other work, where webhooks are not set up and it does not run: lets dates act that have come, sends digests, embeds and indexes new
 * records, and prunes tables until nothing is overdue or the budget ends.
 */
export async function maintain(
  context: Omit<WorkContext, "isOver"> & {
    mail?: MailPlatform;
    embedding?: EmbeddingPlatform | undefined;
    budgetMs: number;
  },
): Promise<void> {
  const ends = performance.now() + context.budgetMs;
  const isOver = () => performance.now() >= ends;
  const digests = new Digests({ ...context, isOver }, context.mail ?? withoutMail);
  const embeddings = new Embeddings({ ...context, isOver }, context.embedding);
  digests.run();
  embeddings.run();
  try {
    while (!isOver() && (await applyDueDates(context)).found > 0);
    await sealRecords({ ...context, isOver });
    const retention = new Retention({ ...context, isOver });
    while (!isOver() && (await retention.runBatch()).found > 0);
    retention.end();
  } finally {
    // A mail under way is not left without its result.
    await digests.settled();
    await embeddings.settled();
  }
}
