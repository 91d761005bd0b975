import { describe, expect, test } from "vitest";
import { cleanText, isItemMarker, removeSoftHyphens, startsItem } from "../../../../ingest/documents/clean-text.ts";
import { joinLines, Lexicon } from "../../../../ingest/documents/hyphens.ts";

describe("characters", () => {
  test.each([
    ["ﬁnal eﬀorts, oﬃces and ﬂoors", "final efforts, offices and floors"],
    [
      "identi昀椀ed e昀昀orts, o昀昀椀ces and 昀氀oors, con琀椀nued",
      "identified efforts, offices and floors, continued",
    ],
    ["漢字 and 昀 stay", "漢字 and 昀 stay"],
    ["42\u00a0U.S.C.\u2009§\u202f293k", "42 U.S.C. § 293k"],
    ["zero\u200bwidth\ufeff marks", "zerowidth marks"],
    ["\uf0b7 Symbol's bullet, \uf0a7 Wingdings'", "• Symbol's bullet, • Wingdings'"],
    ["lost \ufffd and \u0000\u0007 private \ue000 characters", "lost  and  private  characters"],
    ["cost\u2011sharing and non\u2010federal", "cost-sharing and non-federal"],
    ["cafe\u0301", "café"],
    ["8 ½ x 11 and x²", "8 ½ x 11 and x²"],
  ])("of %j become %j", (written, read) => {
    expect(cleanText(written)).toBe(read);
  });

  test("of a table of contents lose their dots", () => {
    expect(removeSoftHyphens("Eligibility . . . . . . . . 12")).toBe("Eligibility … 12");
    expect(removeSoftHyphens("Wait... and see")).toBe("Wait... and see");
  });
});

describe("items", () => {
  test.each(["• One", "- One", "o One", "1. One", "(a) One", "iv) One", "1.2 One", "☐ One", "− One"])(
    "begin: %s",
    (line) => {
      expect(startsItem(line)).toBe(true);
    },
  );

  test.each(["One - two", "2026 is the year", "o one", "A grant is made.", "–", "U.S. citizens"])(
    "do not begin: %s",
    (line) => {
      expect(startsItem(line)).toBe(false);
    },
  );

  test("have markers that stand apart", () => {
    expect(["•", "12.", "(iv)", "–"].map(isItemMarker)).toEqual([true, true, true, true]);
    expect(["Budget", "2026", "", "1,000"].map(isItemMarker)).toEqual([false, false, false, false]);
  });
});

describe("two lines are joined", () => {
  const text = ["The organization has a cost-sharing plan for the long-term budget period: over the years, a view."];
  const lexicon = new Lexicon(text);

  test.each([
    ["The organi-", "zation", "The organization"],
    ["by cost-", "sharing", "by cost-sharing"],
    ["a short-", "term loan", "a short-term loan"],
    ["evidence-", "based work", "evidence-based work"],
    ["an appli-", "cant", "an applicant"],
    ["the non-", "Federal share", "the non-Federal share"],
    ["COVID-", "19", "COVID-19"],
    ["the FDA-", "approved drug", "the FDA-approved drug"],
    ["pre- and", "post-award", "pre- and post-award"],
    ["pre-", "and post-award", "pre- and post-award"],
    ["appli\u00ad", "cants", "applicants"],
    ["see https://www.grants.gov/", "forms for more", "see https://www.grants.gov/forms for more"],
    ["a dash –", "and words", "a dash – and words"],
  ])("%j and %j", (first, second, joined) => {
    expect(joinLines(first, second, lexicon)).toBe(joined);
  });

  test("with a hyphen between two words: of a compound, but where the document's lines are hyphenated", () => {
    expect(joinLines("the over-", "view", lexicon)).toBe("the over-view");
    const hyphenated = [
      "The organi-",
      "zation has an appli-",
      "cation of the appli-",
      "cant, the organization of the applicant, the application.",
    ];
    expect(joinLines("the over-", "view", new Lexicon([...text, ...hyphenated]))).toBe("the overview");
    const unbroken = ["a long-", "term plan, a cross-", "cutting theme, a top-", "down view, a first-", "rate idea."];
    expect(joinLines("an ill-", "conceived plan", new Lexicon([...text, ...unbroken]))).toBe("an ill-conceived plan");
    expect(joinLines("an achieve-", "ment", new Lexicon([...text, "They achieve a develop-", "ment of skills."]))).toBe(
      "an achievement",
    );
  });
});
