import * as z from "zod";
import { readData } from "../data.ts";
import type { FunderProfile } from "../funders/profile.ts";
import type { Random } from "../random.ts";

/** A GSA set-aside code, how common it is, and its sentence in a notice. */
const setAside = z.strictObject({
  code: z.string().min(1),
  weight: z.number().positive(),
  sentence: z.string().min(1),
  /** Abbreviation of the one agency that uses it. */
  only: z.string().optional(),
});

const setAsides = readData("contracts/set-asides.json", z.array(setAside));

const sentences = new Map(setAsides.map(({ code, sentence }) => [code, sentence]));

/** Chooses the code of a solicitation. States do not use the federal codes, so theirs is always null. */
export function setAsideCode(buyer: FunderProfile, random: Random): string | null {
  if (buyer.kind !== "federal" || random.chance(0.36)) return null;
  const usable = setAsides.filter(({ only }) => only === undefined || only === buyer.abbreviation);
  return random.weighted(usable.map(({ code, weight }) => [code, weight] as const));
}

/** Sentence of a set-aside in a notice: "This acquisition is a total small business set-aside." */
export function setAsideSentence(code: string): string | null {
  return sentences.get(code) ?? null;
}
