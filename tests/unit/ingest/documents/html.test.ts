import { describe, expect, test } from "vitest";
import { readHtml } from "../../../../ingest/documents/html.ts";

const linesOf = (html: string) =>
  readHtml(html).map(({ kind, level, text }) => `${kind}${level === 0 ? "" : ` ${level}`}: ${text}`);

describe("a page", () => {
  test("has headings, paragraphs and items", () => {
    expect(
      linesOf(
        "<h1>Eligibility</h1><p>You may apply,\n if you   are:<ul><li>a state<li>a tribe<ul><li>federally recognized</ul></ul><h2>Cost <b>sharing</b></h2>None.",
      ),
    ).toEqual([
      "heading 1: Eligibility",
      "paragraph: You may apply, if you are:",
      "item: • a state",
      "item: • a tribe",
      "item: • federally recognized",
      "heading 2: Cost sharing",
      "paragraph: None.",
    ]);
  });

  test("has the numbers of lists", () => {
    expect(linesOf("<ol start=3><li>Register.</li><li>Apply.</li></ol><ol><li>Wait.</li></ol>")).toEqual([
      "item: 3. Register.",
      "item: 4. Apply.",
      "item: 1. Wait.",
    ]);
  });

  test("has tables by row, and tables of one column as paragraphs", () => {
    const table =
      "<table><tr><th>Form</th><th>When</th></tr><tr><td><p>SF-424</p><p>SF-424A</p></td><td>With application</td></tr></table>";
    expect(linesOf(table)).toEqual(["row: Form | When", "row: SF-424 SF-424A | With application"]);
    expect(linesOf("<table><tr><td><p>One.</p><p>Two.</p></td></tr></table>")).toEqual([
      "paragraph: One.",
      "paragraph: Two.",
    ]);
    expect(linesOf(`<table><tr><td>A<td>${table}</table>`)).toContain("row: SF-424 SF-424A | With application");
  });

  test("has no scripts, styles, navigation and hidden elements", () => {
    const html =
      "<head><title>x</title><style>p{}</style></head><body><nav>Home</nav><script>alert('<p>no</p>')</script><p hidden>no</p>" +
      "<div style='display: none'><div>no</div>no</div><p>Text &amp; more&nbsp;&mdash; all.</p><noscript>no</noscript></body>";
    expect(linesOf(html)).toEqual(["paragraph: Text & more — all."]);
  });

  test("without headings has those of bold paragraphs", () => {
    const html = "<p><strong>Application Types</strong></p><p>New</p><p><b>This sentence is important.</b></p>";
    expect(linesOf(html)).toEqual([
      "heading 3: Application Types",
      "paragraph: New",
      "paragraph: This sentence is important.",
    ]);
  });

  test("with a raised number is told from what is before it", () => {
    const note = (text: string) => linesOf(`<p>${text}</p>`);
    expect(note('rural areas<sup>1</sup>, and care.<sup><a href="#n2">2, 3</a></sup> More')).toEqual([
      "paragraph: rural areas[1], and care.[2,3] More",
    ]);
    expect(note("some<sup>[7]</sup> of 10<sup>6</sup> on the 1<sup>st</sup> of <sup>May</sup>")).toEqual([
      "paragraph: some[7] of 10^6 on the 1st of May",
    ]);
    expect(linesOf("<p>one<sup>2<p>three 4</sup>")).toEqual(["paragraph: one2", "paragraph: three 4"]);
  });

  test("of 10,000 nested elements, closed or not, is read", () => {
    const open = "<div><b>".repeat(10_000);
    expect(linesOf(`${open}deep${"</b></div>".repeat(10_000)}<p>after</p>`)).toEqual([
      "paragraph: deep",
      "paragraph: after",
    ]);
    expect(linesOf(`${open}deep`)).toEqual(["paragraph: deep"]);
    expect(linesOf("<table><tr><td>".repeat(10_000))).toEqual([]);
    expect(linesOf(`${"<ul><li>".repeat(10_000)}deep`)).toEqual(["item: • deep"]);
  });
});
