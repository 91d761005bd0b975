import * as z from "zod";
import { phrases, readData } from "../data.ts";
import type { Random } from "../random.ts";
import { fill, series } from "../text.ts";
import type { FunderProfile } from "./profile.ts";

const byKind = z.record(z.enum(["federal", "state", "community", "family", "corporate"]), phrases);

const sentences = readData(
  "funders/summaries.json",
  z.strictObject({
    openings: byKind,
    closings: byKind,
    /** For a body that buys and gives no grants. */
    buyersOnly: phrases,
  }),
);

/** Two or three sentences on what a funder does. */
export function summaryOf(funder: FunderProfile, random: Random): string {
  const blanks = {
    the: `the ${funder.name}`,
    themes: series(random.sample(funder.grantTopics, random.integer(2, 4)).map(({ theme }) => theme)),
  };
  if (funder.grantTopics.length === 0) return fill(random.pick(sentences.buyersOnly), blanks);
  const opening = fill(random.pick(sentences.openings[funder.kind]), blanks);
  return [opening, ...random.sample(sentences.closings[funder.kind], random.integer(1, 2))].join(" ");
}
