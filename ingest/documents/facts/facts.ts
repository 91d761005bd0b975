import type { factNames } from "../../../shared/responses/documents.ts";
import type { Passage } from "../passages.ts";
import { costShare, costSharePercent } from "./cost-share.ts";
import { letterOfIntentDue, questionsDue } from "./due-dates.ts";
import { expectedAwards, narrativePageLimit } from "./numbers.ts";
import { statementsOf } from "./statements.ts";

/** Names of facts, with the type of their values. */
export interface FactValues {
  /** Last day for letters of intent, as YYYY-MM-DD. */
  letter_of_intent_due: string;
  /** Last day for questions to the funder, as YYYY-MM-DD. */
  questions_due: string;
  /** Most pages of the project narrative alone. */
  narrative_page_limit: number;
  /** Number of awards that the funder expects to make. */
  expected_awards: number;
  /** Whether applicants must share the cost, or match the award. */
  cost_share_required: boolean;
  /** Least share of the project's total cost that applicants must bring, in percent. */
  cost_share_percent: number;
}

/** A fact with its proof. */
export type Fact = {
  [Name in keyof FactValues]: {
    name: Name;
    value: FactValues[Name];
    /** Number of the passage that states it first. */
    passage: number;
    /** The sentence that states it, or the label and its value on two lines: as the passage has them. */
    sentence: string;
  };
}[keyof FactValues];

/** Rules by fact: each reads one statement, and returns a value only where it is sure. */
const rules: { [Name in (typeof factNames)[number]]: (statement: string) => FactValues[Name] | undefined } = {
  letter_of_intent_due: letterOfIntentDue,
  questions_due: questionsDue,
  narrative_page_limit: narrativePageLimit,
  expected_awards: expectedAwards,
  cost_share_required: costShare,
  cost_share_percent: costSharePercent,
};

/** Finds facts in the passages of a document. A fact of which the document states two different values is left out. */
export function factsOf(passages: readonly Passage[]): Fact[] {
  const statements = passages.flatMap(statementsOf);
  return Object.entries(rules).flatMap(([name, rule]) => {
    const found = statements.flatMap(({ text, sentence, passage }) => {
      const value = rule(text);
      return value === undefined ? [] : [{ name, value, passage, sentence } as Fact];
    });
    const [first] = found;
    return first !== undefined && found.every(({ value }) => value === first.value) ? [first] : [];
  });
}
