import type { Connection } from "../../database/connection.ts";
import { fitLexicon } from "../../database/lexicon/fit.ts";
import { sealRecords } from "../../database/lexicon/seal.ts";
import { isLexiconStale } from "../../database/lexicon/staleness.ts";
import { printError } from "../../local/print.ts";
import { printStep } from "../command.ts";

/**
 * Indexes the records that an import wrote: fits the lexicon where it is stale, and otherwise seals the new records. A fit that another one
 * took over is no failure, since every record is in.
 *
 * @param isFitting whether to fit the lexicon at all.
 */
export async function indexRecords(connection: Connection, isFitting: boolean): Promise<void> {
  if (isFitting && (await isLexiconStale(connection))) {
    printError("Many records are new to search by meaning; fitting the lexicon to them (--no-fit skips this):");
    try {
      await fitLexicon(connection, printStep);
      return;
    } catch (error) {
      if ((error as { code?: unknown }).code !== "PT409") throw error;
      printError(
        "Warning: another fit of the lexicon began meanwhile, and this one was given up. The records are all in.",
      );
    }
  }
  // All is written, and found record by record until the dispatcher or the next import has more luck.
  await sealRecords(connection).catch((error) => printError(`Warning: ${String(error.message ?? error)}`));
}
