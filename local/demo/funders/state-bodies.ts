import * as z from "zod";
import { readData } from "../data.ts";

/** A kind of agency that every state has. */
const stateBody = z.strictObject({
  /** Follows the state's name: "Ohio" + " " + title. */
  title: z.string().min(1),
  abbreviation: z.string().min(1),
  /** Keys of grant topics. */
  grantTopics: z.array(z.string()).min(1),
  /** Kinds of its own sites. `{town}` and `{water}` allowed. */
  sites: z.array(z.string().min(1)),
  /** False for a body that a city without farmland does not have. */
  inCity: z.literal(false).optional(),
});
export type StateBody = z.infer<typeof stateBody>;

/** Seventeen kinds: a prime number, which `funder-list.ts` needs to deal them out evenly. */
export const stateBodies: readonly StateBody[] = readData("funders/state-bodies.json", z.array(stateBody).length(17));
