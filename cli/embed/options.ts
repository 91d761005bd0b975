import { defaultModels, lexiconModel, modelKey } from "../../shared/embeddings/models.ts";
import { nearest } from "../../shared/validation/suggest.ts";
import { UsageError } from "../command.ts";
import { parseArgs } from "../parse-args.ts";
import { defaultBatchSize, defaultConcurrency } from "./fill.ts";

/** A call of the command, understood. */
export interface EmbedCommand {
  provider: "lexicon" | "openai" | "supabase";
  /** The database's name for the model. */
  model: string;
  /** US dollars for a million tokens, or undefined to go by the model. */
  price: number | undefined;
  batchSize: number;
  concurrency: number;
  isConfirmed: boolean;
  databaseUrl: string | undefined;
}

const providers = ["lexicon", "openai", "supabase"] as const;

/** @throws {UsageError} when the words make no sense. */
export function readOptions(words: string[]): EmbedCommand | "help" {
  const { values } = parseArgs({
    args: words,
    options: {
      provider: { type: "string" },
      model: { type: "string" },
      price: { type: "string" },
      batch: { type: "string", default: String(defaultBatchSize) },
      concurrency: { type: "string", default: String(defaultConcurrency) },
      yes: { type: "boolean", default: false },
      "database-url": { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return "help";
  const provider = providerOf(values.provider);
  return {
    provider,
    model: modelOf(provider, values.model),
    price: values.price === undefined ? undefined : priceOf(values.price),
    batchSize: wholeNumber("--batch", values.batch, 2048),
    concurrency: wholeNumber("--concurrency", values.concurrency, 32),
    isConfirmed: values.yes,
    databaseUrl: values["database-url"],
  };
}

function providerOf(given: string | undefined): EmbedCommand["provider"] {
  const found = providers.find((name) => name === given);
  if (found !== undefined) return found;
  if (given === undefined) throw new UsageError(`--provider is missing: expected one of ${providers.join(", ")}.`);
  const meant = nearest(given, providers);
  throw new UsageError(
    `--provider must be one of ${providers.join(", ")}, not ${given}${meant === undefined ? "" : ` (did you mean ${meant}?)`}.`,
  );
}

function modelOf(provider: EmbedCommand["provider"], given: string | undefined): string {
  if (provider !== "lexicon") return modelKey(provider, given || defaultModels[provider]);
  if (given !== undefined) throw new UsageError("--model has no meaning for the lexicon, which is fitted here.");
  return lexiconModel;
}

function priceOf(text: string): number {
  if (!/^\d+(\.\d+)?$/.test(text)) throw new UsageError("--price must be US dollars for a million tokens: 0.02.");
  return Number(text);
}

function wholeNumber(name: string, text: string, most: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < 1 || value > most) {
    throw new UsageError(`${name} must be a whole number from 1 to ${most}.`);
  }
  return value;
}
