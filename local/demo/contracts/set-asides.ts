import type { FunderProfile } from "../funders/profile.ts";
import type { Random } from "../random.ts";

/** A GSA set-aside code, how common it is, and how a notice says it. */
interface SetAside {
  code: string;
  weight: number;
  sentence: string;
  /** The one agency that uses it. */
  only?: string;
}

const setAsides: readonly SetAside[] = [
  {
    code: "SBA",
    weight: 52,
    sentence: "This acquisition is a total small business set-aside.",
  },
  {
    code: "SBP",
    weight: 4,
    sentence: "Part of this requirement is set aside for small businesses.",
  },
  {
    code: "8A",
    weight: 9,
    sentence: "Competition is limited to firms in the 8(a) business development program.",
  },
  {
    code: "8AN",
    weight: 2,
    sentence: "The agency intends to negotiate with one firm under the 8(a) program.",
  },
  {
    code: "HZC",
    weight: 7,
    sentence: "This procurement is set aside for HUBZone small businesses.",
  },
  {
    code: "SDVOSBC",
    weight: 11,
    sentence: "Only service-disabled veteran-owned small businesses may submit offers.",
  },
  {
    code: "WOSB",
    weight: 6,
    sentence: "This is a set-aside for women-owned small businesses.",
  },
  {
    code: "EDWOSB",
    weight: 3,
    sentence: "Offers are limited to economically disadvantaged women-owned small businesses.",
  },
  {
    code: "LAS",
    weight: 1,
    sentence: "The work is set aside for local firms in the disaster area.",
    only: "FEMA",
  },
  {
    code: "VSA",
    weight: 12,
    sentence: "This requirement is set aside for veteran-owned small businesses.",
    only: "VA",
  },
  {
    code: "IEE",
    weight: 30,
    sentence: "The requirement is set aside for Indian economic enterprises.",
    only: "BIA",
  },
  {
    code: "ISBEE",
    weight: 30,
    sentence: "The requirement is set aside for Indian small business economic enterprises.",
    only: "BIA",
  },
  {
    code: "BICiv",
    weight: 40,
    sentence: "This is a Buy Indian set-aside.",
    only: "IHS",
  },
];

const sentences = new Map(setAsides.map(({ code, sentence }) => [code, sentence]));

/** The code for a solicitation. States do not use the federal codes, so theirs is always null. */
export function setAsideCode(buyer: FunderProfile, random: Random): string | null {
  if (buyer.kind !== "federal" || random.chance(0.36)) return null;
  const usable = setAsides.filter(({ only }) => only === undefined || only === buyer.abbreviation);
  return random.weighted(usable.map(({ code, weight }) => [code, weight] as const));
}

/** How a notice says it: "This acquisition is a total small business set-aside." */
export function setAsideSentence(code: string): string | null {
  return sentences.get(code) ?? null;
}
