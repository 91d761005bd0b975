import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import "../../../support/transfer-buffers.ts";
import { describe, expect, test } from "vitest";
import { factsOf } from "../../../../ingest/documents/facts/facts.ts";
import { type Passage, passagesOf } from "../../../../ingest/documents/passages.ts";
import { readDocument } from "../../../../ingest/documents/read-document.ts";

const passage = (text: string, number = 1): Passage => ({
  number,
  firstPage: null,
  lastPage: null,
  headingPath: "",
  text,
});
const valuesOf = (...texts: string[]) =>
  Object.fromEntries(
    factsOf(texts.map((text, index) => passage(text, index + 1))).map(({ name, value }) => [name, value]),
  );

describe("a fact is found in", () => {
  test.each<[text: string, facts: Record<string, unknown>]>([
    ["Deadline for optional letters of intent: Thursday, May 11, 2023", { letter_of_intent_due: "2023-05-11" }],
    ["Letters of intent are due by 11:59 p.m. ET on May 1, 2026.", { letter_of_intent_due: "2026-05-01" }],
    [
      "Please email a letter of intent (LOI) to loi@example.gov no later than 3/15/2026.",
      { letter_of_intent_due: "2026-03-15" },
    ],
    ["Optional Letter of Intent\nDue on June 30, 2023.", { letter_of_intent_due: "2023-06-30" }],
    ["Letter of Intent Due Date | May 1, 2026", { letter_of_intent_due: "2026-05-01" }],
    ["Optional letter of intent: Friday, May 1, 2026", { letter_of_intent_due: "2026-05-01" }],
    ["Letter of intent (LOI) | May 1, 2026", { letter_of_intent_due: "2026-05-01" }],
    ["Submit your questions in writing to ask@example.gov by April 2, 2026.", { questions_due: "2026-04-02" }],
    [
      "All questions must be submitted by e-mail no later than 5 p.m. ET on April 2, 2026.",
      { questions_due: "2026-04-02" },
    ],
    ["Questions due: 4/2/2026", { questions_due: "2026-04-02" }],
    ["Project Narrative Page limit: 20 pages", { narrative_page_limit: 20 }],
    ["The project narrative must not exceed 20 double-spaced pages.", { narrative_page_limit: 20 }],
    ["The Project Narrative is limited to twenty-five (25) pages.", { narrative_page_limit: 25 }],
    ["The project narrative may be no longer than 15 pages. Others are removed.", { narrative_page_limit: 15 }],
    ["Project Narrative | No more than 12 pages", { narrative_page_limit: 12 }],
    ["Project Narrative | 15 pages | 60 points", { narrative_page_limit: 15 }],
    ["File name: Project Narrative\nPage limit: 15", { narrative_page_limit: 15 }],
    ["Project narrative\nPage limit: 15 pages", { narrative_page_limit: 15 }],
    ["Number of awards: 4", { expected_awards: 4 }],
    ["Expected awards: 12 new grants", { expected_awards: 12 }],
    ["Estimated number of awards | 6", { expected_awards: 6 }],
    ["Anticipated Number of Awards\n3", { expected_awards: 3 }],
    ["We expect to make approximately ten awards under this notice.", { expected_awards: 10 }],
    ["Cost share or match required: None", { cost_share_required: false }],
    ["Cost Sharing or Matching Requirement: No", { cost_share_required: false }],
    ["This program does not require cost sharing.", { cost_share_required: false }],
    ["Cost sharing is not required for this program.", { cost_share_required: false }],
    ["This program has no cost-sharing requirement.", { cost_share_required: false }],
    ["Cost sharing or matching is required.", { cost_share_required: true }],
    [
      "You must cover at least 25% of the project’s total cost with non-federal resources.",
      { cost_share_required: true, cost_share_percent: 25 },
    ],
  ])("%j", (text, facts) => {
    expect(valuesOf(text)).toEqual(facts);
  });
});

describe("no fact is found in", () => {
  test.each([
    "Letters of intent are optional, and applications are due by May 1, 2026.",
    "Letters of intent are due May 1, 2026, and applications June 1, 2026.",
    "Letters of intent are due in May 2026.",
    "We will respond to letters of intent by May 1, 2026.",
    "If you send a letter of intent by May 1, 2026, you may get advice.",
    "We will post the applicant questions and their answers on an FAQ page until June 30, 2023.",
    "Questions about the webinar on May 1, 2026 are welcome.",
    "The project narrative and attachments must not exceed 50 pages.",
    "Files One and Two can be no longer than 75 pages combined.",
    "In the project narrative, include a summary of no more than 1 page.",
    "Project narrative responses to each question are limited to 2 pages.",
    "Number of awards | 12 | 14",
    "There is a 60-page limit for the overall application.",
    "The project narrative budget justification may not exceed 5 pages.",
    "Attachments do not count as part of the 20-page limit of the project narrative.",
    "Page limit: 1 page\nFile name: “Project Abstract”",
    "Expected awards: up to 5",
    "Expected awards: 5 to 10",
    "Expected awards: 5-10",
    "Expected Number of Awards: $500,000",
    "Expected awards: 2 per year",
    "The Children’s Bureau will make up to two awards for up to 36 months each.",
    "Cost sharing is not required of tribes.",
    "Cost sharing is not required unless you propose it.",
    "Voluntary cost sharing is not required.",
    "If cost sharing is required, describe it.",
    "The total costs must match those of the SF-424. Yes.",
    "ACL will fund no more than 75% of the project’s total cost.",
    "At least 15 percent of the total project award must be for the evaluation.",
  ])("%j", (text) => {
    expect(valuesOf(text)).toEqual({});
  });

  test("statements that differ", () => {
    expect(valuesOf("Expected awards: 5", "Estimated number of awards: 6")).toEqual({});
    expect(valuesOf("Cost sharing or matching is required.", "This program does not require cost sharing.")).toEqual(
      {},
    );
    expect(valuesOf("Expected awards: 5", "Estimated number of awards: 5")).toEqual({ expected_awards: 5 });
  });
});

describe("the facts of published notices", () => {
  const factsIn = async (name: string) => {
    const read = await readDocument(
      await readFile(fileURLToPath(new URL(`../../../fixtures/documents/${name}`, import.meta.url))),
    );
    if (read.kind === "unreadable") throw new Error(read.message);
    return { facts: factsOf(passagesOf(read)), passages: passagesOf(read) };
  };

  test.each([
    ["samhsa-notice.pdf", { narrative_page_limit: 10, expected_awards: 1, cost_share_required: false }],
    ["hhs-notice.html", { expected_awards: 12, cost_share_required: false }],
    ["hhs-notice-details.docx", { expected_awards: 1 }],
    ["hhs-notice-lists.docx", {}],
  ])("%s are those that a reader finds, each with its sentence", async (name, values) => {
    const { facts, passages } = await factsIn(name);
    expect(Object.fromEntries(facts.map(({ name, value }) => [name, value]))).toEqual(values);
    for (const { passage, sentence } of facts) expect(passages[passage - 1]?.text).toContain(sentence);
  });
});
