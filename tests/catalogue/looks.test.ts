import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { html } from "../../functions/catalogue/html.ts";
import { readId, recordPath, slugOf } from "../../functions/catalogue/site.ts";
import { styles } from "../../functions/catalogue/styles.ts";
import { excerpt, lineOf, paragraphsOf, plainText } from "../../functions/catalogue/text.ts";

test("the pages have the dashboard's tokens", async () => {
  const dashboard = await readFile(new URL("../../dashboard/src/styles/tokens.css", import.meta.url), "utf8");
  const tokensOf = (text: string) =>
    [...text.matchAll(/^\s*(--[\w-]+): ([^;]+);/gm)].map(([, name, value]) => [name, value]);
  const known = new Map(tokensOf(dashboard) as [string, string][]);
  const [root = ""] = /:root \{[^}]*\}/.exec(styles) ?? [];
  const own = tokensOf(root) as [string, string][];
  expect(own.length).toBeGreaterThan(15);
  expect(own.filter(([name, value]) => known.get(name) !== value)).toEqual([]);
  const used = new Set([...styles.matchAll(/var\((--[\w-]+)\)/g)].map(([, name]) => name));
  expect([...used].filter((name) => !own.some(([token]) => token === name))).toEqual([]);
});

test("a template escapes its values, and nothing but what templates made is markup", () => {
  const name = `<b>"x" & 'y'</b>`;
  expect(html`<p title="${name}">${[name, html`<i>${1}</i>`, undefined, false, null]}</p>`.markup).toBe(
    `<p title="&lt;b&gt;&quot;x&quot; &amp; &#39;y&#39;&lt;/b&gt;">&lt;b&gt;&quot;x&quot; &amp; &#39;y&#39;&lt;/b&gt;<i>1</i></p>`,
  );
});

test("addresses of records have words and the id, whatever the title", () => {
  const id = "3fcba028-2b9c-8a62-a983-a71781e55569";
  expect(slugOf("Éducation & “Arts” — FY 2027!")).toBe("education-arts-fy-2027");
  expect(slugOf("日本語")).toBe("");
  expect(slugOf("word ".repeat(60)).length).toBeLessThanOrEqual(80);
  for (const name of ["A title", "日本語", `Ends with ${id}`, "x".repeat(500), "---", "<script>"]) {
    expect(readId(recordPath("grants", { id, name }).slice("/grants/".length))).toBe(id);
  }
  expect(readId("no-id")).toBeUndefined();
});

test("publishers' texts are read as text", () => {
  expect(lineOf("Research &amp;\n Development")).toBe("Research & Development");
  expect(plainText("a&lt;br/&gt;b<b>c</b> 1 < 2 <script>x</script>")).toBe("a\nbc 1 < 2 <script>x</script>");
  expect(paragraphsOf("<p>One</p><p>Two&#8217;s</p>").paragraphs).toEqual(["One", "Two’s"]);
  expect(paragraphsOf("word ".repeat(10_000)).isCut).toBe(true);
  expect(excerpt("One two three four", 12)).toBe("One two…");
  // These took time with the square of their length in a first version.
  for (const text of [" ".repeat(90_000), "\n".repeat(90_000), "<p ".repeat(30_000), "&".repeat(90_000)]) {
    expect(paragraphsOf(text).paragraphs.length).toBeLessThan(2);
  }
});
