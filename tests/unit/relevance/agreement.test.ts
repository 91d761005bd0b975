import { describe, expect, test } from "vitest";
import { agreementOf, settleGrades, unsettledPairs } from "../../../bench/relevance/agreement.ts";

const reading = (...grades: number[]) => new Map([["q", new Map(grades.map((grade, index) => [`r${index}`, grade]))]]);

describe("the agreement of two readings", () => {
  test("is whole for equal grades", () => {
    expect(agreementOf(reading(0, 1, 2, 3), reading(0, 1, 2, 3))).toEqual({
      pairs: 4,
      equal: 1,
      equal_of_relevant: 1,
      kappa: 1,
    });
  });

  test("counts a grade more or less for less than three more or less", () => {
    const near = agreementOf(reading(0, 0, 3, 3), reading(0, 0, 3, 2));
    const far = agreementOf(reading(0, 0, 3, 3), reading(0, 0, 3, 0));
    expect(near).toMatchObject({ pairs: 4, equal: 0.75, equal_of_relevant: 0.5 });
    // The distance is 1/4. By chance it is that of all 16 pairs of a grade here and one there: twice 0+0+3+2, twice 3+3+0+1.
    expect(near.kappa).toBeCloseTo(1 - 0.25 / (24 / 16), 10);
    expect(far.kappa).toBeLessThan(near.kappa);
  });

  test("is 0 for a second reading that says the same of all", () => {
    expect(agreementOf(reading(0, 3), reading(3, 3)).kappa).toBeCloseTo(0, 10);
  });

  test("leaves out what only one reading has", () => {
    expect(agreementOf(reading(1, 2), reading(1)).pairs).toBe(1);
  });
});

describe("two readings", () => {
  const [first, second] = [reading(0, 2, 3, 3), reading(1, 3, 3, 0)];
  const settled = new Map([["q", new Map([["r3", 2]])]]);

  test("give the mean rounded down, or the settled grade", () => {
    expect(settleGrades({ first, second, settled })).toEqual(reading(0, 2, 3, 2));
  });

  test("leave pairs to settle where they are two or more apart", () => {
    expect(unsettledPairs({ first, second, settled: new Map() })).toEqual(["q r3"]);
    expect(unsettledPairs({ first, second, settled })).toEqual([]);
  });
});
