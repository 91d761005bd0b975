import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import "../../../support/transfer-buffers.ts";
import { beforeAll, describe, expect, test } from "vitest";
import type { DocumentText } from "../../../../ingest/documents/document-text.ts";
import { type Passage, passagesOf } from "../../../../ingest/documents/passages.ts";
import { readDocument } from "../../../../ingest/documents/read-document.ts";

/** Published notices, read by eye: what stands in them, and where. */

async function readNotice(name: string): Promise<DocumentText> {
  const path = fileURLToPath(new URL(`../../../fixtures/documents/${name}`, import.meta.url));
  const read = await readDocument(readFileSync(path));
  if (read.kind === "unreadable") throw new Error(read.message);
  return read;
}

const wordsOf = (texts: readonly { text: string }[]) =>
  texts
    .map(({ text }) => text)
    .join(" ")
    .split(/\s+/);

describe.each(["samhsa-notice.pdf", "hhs-notice.html", "hhs-notice-lists.docx", "hhs-notice-details.docx"])(
  "%s",
  (name) => {
    test("has each of its words in exactly one passage", async () => {
      const notice = await readNotice(name);
      expect(wordsOf(passagesOf(notice))).toEqual(wordsOf(notice.blocks));
    });

    test("has no characters that nobody can read", async () => {
      const text = (await readNotice(name)).blocks.map(({ text }) => text).join("\n");
      expect(text).not.toMatch(/[\ufffd\u00ad\p{Co}]|(?!\n)\p{Cc}|â€|Ã/u);
    });
  },
);

describe("the notice of SAMHSA, a tagged PDF with two columns on a page", () => {
  let notice: DocumentText;
  let passages: Passage[];

  beforeAll(async () => {
    notice = await readNotice("samhsa-notice.pdf");
    passages = passagesOf(notice);
  });

  const find = (text: string) => notice.blocks.find((block) => block.text.includes(text));
  const passageOf = (text: string) => passages.find((passage) => passage.text.includes(text));

  test("has 23 pages, all with text", () => {
    expect(notice).toMatchObject({ mediaType: "application/pdf", pages: 23, pagesWithoutText: [], isCut: false });
  });

  test.each([
    [2, "Expected funding: $15M"],
    [2, "Cost share or match required: None"],
    [
      3,
      "Applications are due by 11:59 Eastern Time on August 29, 2023. SAMHSA will not review applications received after the application due date and time.",
    ],
    [
      4,
      "Eligibility is statutorily limited to states, local, Tribal, and territorial governments; Tribal organizations; nonprofit community-based entities; and primary care and behavioral health organizations.",
    ],
    [5, "• Recommendations on how to adapt treatments to meet this population’s cultural and linguistic needs."],
    [
      7,
      "You must also periodically review the performance data you report to SAMHSA, assess your progress, and use this information to improve the management of your project.",
    ],
    [10, "Page limit: 10 pages"],
    [11, "Year 1 | Year 2 | Year 3 | Year 4 | Year 5 | Total"],
    [12, "• Curriculum development, clinical teaching, consultation, and clinical supervision"],
    [19, "The indirect cost rate may not exceed 8 percent of the proposed budget."],
    [23, "E-mail: FOACMHS@samhsa.hhs.gov"],
  ])("has on page %d: %s", (page, text) => {
    expect(find(text)).toMatchObject({ firstPage: page, lastPage: page });
  });

  test("joins words that a line has broken, and keeps compounds", () => {
    expect(find("long- or short-term coaching")).toBeDefined();
    expect(find("evidence-based")).toBeDefined();
    expect(notice.blocks.filter(({ text }) => /\p{Ll}- \p{Ll}/u.test(text) && !/- (?:or|and) /.test(text))).toEqual([]);
  });

  test("reads the left column of a page before the right one", () => {
    const order = [
      "Completing a Literature Review",
      "needs of refugee and migrant populations in the United States",
      "strategy and marketing plan that uses data",
    ];
    const last = ["Create and implement a Clinical Case Consultation", "Create interactive online learning modules."];
    const places = [...order, ...last].map((text) =>
      notice.blocks.findIndex((block) => block.text.includes(text) && block.firstPage === 5),
    );
    expect(places).toEqual([...places].sort((one, other) => one - other));
    expect(places[0]).toBeGreaterThan(0);
  });

  test("has the headings above each passage", () => {
    expect(passageOf("No more than 15 percent of the award")?.headingPath).toBe(
      "Review the post-award requirements. > Funding Limitation Restrictions",
    );
    expect(passageOf("Safety—Participants and staff feel")?.headingPath).toBe(
      "Step 5 Review the post-award requirements: SAMHSA Values that Promote Positive Behavioral Health > Trauma-Informed",
    );
  });

  test("has no page numbers", () => {
    expect(notice.blocks.filter(({ text }) => /^\d{1,2}$/.test(text) && Number(text) > 10)).toEqual([]);
  });
});

describe("the notice of HRSA, an HTML page", () => {
  test.each([
    "Opportunity Number: HRSA-24-019",
    "Expected awards: 12 new grants",
    "Statutory Authority: The PCTE-PARM program is authorized by Title VII, Section 747(a)(1)(F) of the Public Health Service (PHS) Act (42 U.S.C. § 293k(a)(1)(F)).",
    "Components | Submission Format | Included in the 60-page limit?",
    "Attachments | Insert each in the Other Attachments form. | Yes, unless otherwise marked below.",
    "• A qualified alien as defined by the 1996 Personal Responsibility and Work Opportunity Reconciliation Act.",
    "Indirect costs for training awards cannot exceed 8% of modified total direct costs. To understand what is included in modified total direct costs, see 45 CFR 75.2.",
  ])("has: %s", async (text) => {
    expect((await readNotice("hhs-notice.html")).blocks.map((block) => block.text)).toContain(text);
  });

  test("has the headings above each passage", async () => {
    const passages = passagesOf(await readNotice("hhs-notice.html"));
    const passage = passages.find(({ text }) => text.includes("This program has no cost-sharing requirement."));
    expect(passage?.headingPath).toBe(
      "Step 1: Review the Opportunity > Eligibility > Other Eligibility Criteria > Trainee Eligibility",
    );
    expect(passage?.text).toContain("\nCost Sharing\nThis program has no cost-sharing requirement.");
  });
});

describe("the notices of HHS in Word", () => {
  test("have headings, items and labels", async () => {
    expect(
      (await readNotice("hhs-notice-details.docx")).blocks
        .slice(0, 6)
        .map(({ kind, level, text }) => [kind, level, text]),
    ).toEqual([
      ["paragraph", 0, "Opdiv: HHS"],
      ["heading", 1, "Step 1: Review the Opportunity"],
      ["heading", 3, "Funding details"],
      ["paragraph", 0, "Application Types:"],
      ["paragraph", 0, "New"],
      ["paragraph", 0, "Expected total available funding in FY 2026:"],
    ]);
    const lists = (await readNotice("hhs-notice-lists.docx")).blocks;
    expect(lists.filter(({ kind }) => kind === "heading").map(({ level, text }) => [level, text])).toContainEqual([
      6,
      "Completeness and responsiveness criteria",
    ]);
    expect(lists.filter(({ kind }) => kind === "item")).toHaveLength(18);
  });
});
