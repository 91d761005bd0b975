import * as z from "zod";
import { phrases, readData } from "../data.ts";

const byDelivery = z.strictObject({ service: phrases, remote: phrases, works: phrases, supplies: phrases });

/** Sentences that any topic can use. `{where}` starts with "at", "for" or "in", or is empty. */
export const banks = readData(
  "contracts/sentences.json",
  z.strictObject({
    /** First sentences of a solicitation. */
    openings: byDelivery,
    duties: phrases,
    awardedDuties: z.strictObject({ past: phrases, present: phrases }),
    /** Duration of the work: a notice says it once. */
    durations: byDelivery,
    conditions: byDelivery,
    evaluation: phrases,
    /** Values with both ends, only the upper, and only the lower one. */
    magnitude: z.strictObject({ ranged: phrases, capped: phrases, floored: phrases }),
    visits: phrases,
    due: phrases,
    questions: phrases,
    /** First sentences of a notice that asks for no offers yet. */
    forecastOpenings: phrases,
    forecasts: phrases,
    cancellations: phrases,
    awards: phrases,
    competition: phrases,
  }),
);
