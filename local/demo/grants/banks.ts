import * as z from "zod";
import { phrases, readData } from "../data.ts";
import type { FunderKind } from "../funders/profile.ts";

const sharedSentences = z.strictObject({ uses: phrases, review: phrases, reporting: phrases });

const ownSentences = z.strictObject({
  openings: phrases,
  followUps: phrases,
  people: phrases,
  eligibility: phrases,
  costShare: phrases,
  applyBy: phrases,
  rolling: phrases,
  extras: phrases,
});

/** Sentences that any topic can use. Public funders and foundations speak differently. */
export type GrantBanks = z.infer<typeof sharedSentences> & z.infer<typeof ownSentences>;

const banks = readData(
  "grants/opportunities.json",
  z.strictObject({ everyFunder: sharedSentences, public: ownSentences, foundation: ownSentences }),
);
const publicBanks: GrantBanks = { ...banks.everyFunder, ...banks.public };
const foundationBanks: GrantBanks = { ...banks.everyFunder, ...banks.foundation };

/** Sentences of the funder's kind. */
export function banksFor(funder: FunderKind): GrantBanks {
  return funder === "federal" || funder === "state" ? publicBanks : foundationBanks;
}
