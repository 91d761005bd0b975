import fc from "fast-check";
import { parseDocument } from "htmlparser2";
import { expect, test } from "vitest";
import { readFiles } from "../../../ingest/read/files.ts";
import { xmlRows } from "../../../ingest/read/xml.ts";
import { all, chunksOf } from "./helpers.ts";

/** XML however it is written: read as another reader reads it, that of the htmlparser2 package. */

const space = fc.constantFrom("", "", " ", "\n", "\t", " \n ", "\r\n");
const gap = fc.constantFrom(" ", "\n", "\t ", "\r\n");
const name = fc.constantFrom("ID", "Title", "p:Title", "a-b.c_d", "Größe");
/** Text that is markup, or looks like it, in one place or another. */
const anyText = fc
  .array(
    fc.constantFrom(
      "a",
      "é",
      " ",
      "\n",
      ">",
      "]]",
      "--",
      "/",
      "&#31;",
      "&amp;",
      "</Row>",
      "<Row>",
      "<Row a='",
      '"',
      "'",
      "x=1",
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join(""));

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll("]]>", "]]&gt;");

/** References by number, decimal and hexadecimal, for what may as well stand as it is. */
const numbered = (text: string) =>
  [...text]
    .map((character) => {
      const code = character.codePointAt(0) ?? 0;
      if (/[<&]/.test(character)) return `&#x${code.toString(16).toUpperCase()};`;
      return /[aé>"']/.test(character) ? `&#${code};` : character;
    })
    .join("");

/** Text that may follow another: `]]>` is no text of XML, also where it is of two. */
const following = (text: string) => text.replace(/^>/, "&gt;");

const text = fc.oneof(
  anyText.map(escaped).map(following),
  anyText.map(numbered).map(following),
  anyText.map((content) => `<![CDATA[${content.replaceAll("]]>", "]] >")}]]>`),
);

const comment = anyText.map((content) => `<!-- ${content.replaceAll("-", "_")} -->`);
// (htmlparser2 ends an instruction at its first `>`, which XML does not.)
const instruction = anyText.map((content) => `<?x ${content.replaceAll(">", "")}?>`);
const misc = fc.oneof(comment, instruction);

const attribute = fc
  .tuple(gap, fc.constantFrom("k", "xml:lang", "l"), space, space, fc.constantFrom('"', "'"), anyText)
  .map(
    ([before, key, one, two, quote, value]) =>
      `${before}${key}${one}=${two}${quote}${escaped(value).replaceAll('"', "&quot;").replaceAll("'", "&apos;").replaceAll("&gt;", ">")}${quote}`,
  );
const attributes = fc.tuple(fc.option(attribute, { nil: "" }), space).map((parts) => parts.join(""));

function element(tag: fc.Arbitrary<string>, content: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.oneof(
    fc
      .tuple(tag, attributes, content, space)
      .map(([name, rest, inner, after]) => `<${name}${rest}>${inner}</${name}${after}>`),
    fc.tuple(tag, attributes).map(([name, rest]) => `<${name}${rest}/>`),
  );
}

const leaf = element(
  name,
  fc.array(fc.oneof(text, misc), { maxLength: 3 }).map((parts) => parts.join("")),
);
const branch = element(
  name,
  fc.array(fc.oneof(leaf, misc, space), { minLength: 1, maxLength: 3 }).map((parts) => parts.join("")),
);
const row = element(
  fc.constantFrom("Row", "p:Row", "Other"),
  fc.array(fc.oneof(leaf, branch, misc, space), { maxLength: 4 }).map((parts) => parts.join("")),
);
const document = fc
  .tuple(
    fc.constantFrom("", '<?xml version="1.0"?>', "<?xml version='1.0' encoding='UTF-8' ?>\n"),
    fc.array(fc.oneof(comment, gap), { maxLength: 2 }),
    attributes,
    fc.array(fc.oneof(row, row, leaf, misc, gap), { maxLength: 6 }),
    space,
    fc.array(fc.oneof(misc, gap), { maxLength: 2 }),
  )
  .map(
    ([declaration, before, rest, content, after, behind]) =>
      `${declaration}${before.join("")}<Rows${rest}>${content.join("")}</Rows${after}>${behind.join("")}`,
  );

interface Node {
  type: string;
  name?: string;
  data?: string;
  children?: Node[];
}

const isElement = ({ type }: Node) => type === "tag" || type === "script" || type === "style";
const localName = ({ name = "" }: Node) => name.slice(name.indexOf(":") + 1);

/** The same as a row's values, of another reader's tree. */
function contentOf(node: Node): unknown {
  const children = (node.children ?? []).filter(isElement);
  if (children.length === 0) return textOf(node);
  const values: Record<string, unknown> = {};
  for (const child of children) {
    const [key, value] = [localName(child), contentOf(child)];
    const known = values[key];
    values[key] = known === undefined ? value : Array.isArray(known) ? [...known, value] : [known, value];
  }
  return values;
}

function textOf({ type, data = "", children = [] }: Node): string {
  if (type === "text") return data;
  return type === "comment" || type === "directive" ? "" : children.map(textOf).join("");
}

function rowsIn(node: Node): Node[] {
  if (isElement(node) && ["Row", "Other"].includes(localName(node))) return [node];
  return (node.children ?? []).flatMap(rowsIn);
}

function expected(content: string): unknown[] {
  // An XML reader gives line breaks as \n (XML 1.0, 2.11); htmlparser2 leaves that to its caller.
  const tree = parseDocument(content.replaceAll("\r\n", "\n"), { xmlMode: true }) as unknown as Node;
  return rowsIn(tree).map((node) => {
    const value = contentOf(node);
    return { element: localName(node), ...(typeof value === "object" ? value : {}) };
  });
}

test("rows are those that another XML reader reads, however the XML is written", async () => {
  await fc.assert(
    fc.asyncProperty(document, fc.integer({ min: 1, max: 60 }), async (content, size) => {
      const rows = await all(readFiles([{ chunks: chunksOf(content, size) }], xmlRows("Row", "Other")));
      expect(rows.map((row) => ("reason" in row ? row : row.values))).toEqual(expected(content));
    }),
    { numRuns: 400 },
  );
});

test("a document that is cut anywhere says so, and its whole rows are the document's", async () => {
  await fc.assert(
    fc.asyncProperty(document, fc.double({ min: 0.01, max: 0.99, noNaN: true }), async (content, share) => {
      const end = content.search(/<\/Rows\s*>(?![\s\S]*<\/Rows\s*>)/);
      const cut = content.slice(0, Math.max(1, Math.floor(end * share)));
      const values: unknown[] = [];
      let failure = "";
      try {
        for await (const row of readFiles([{ chunks: chunksOf(cut, 16) }], xmlRows("Row", "Other")))
          if (!("reason" in row)) values.push(row.values);
      } catch (error) {
        failure = (error as Error).message;
      }
      expect(failure).toMatch(/cut short|does not begin like XML/);
      expect(values).toEqual(expected(content).slice(0, values.length));
    }),
    { numRuns: 300, examples: [["<Rows><!-- <Row></Row> --></Rows>", 0.85]] },
  );
});

test("a file that ends as it should has the rows after a comment's opening that nothing closes", async () => {
  const content = "<Rows><Row><a>1 <!-- 2</a></Row><Row><a>3</a></Row></Rows>";
  const rows = await all(readFiles([{ chunks: chunksOf(content, 7) }], xmlRows("Row")));
  expect(rows.map((row) => ("reason" in row ? row.text : row.values))).toEqual([
    "<Row><a>1 <!-- 2</a></Row>",
    { element: "Row", a: "3" },
  ]);
});

test("openings of comments that nothing closes are searched once, however many they are", async () => {
  const content = `<Rows><Row><a>1</a></Row>${"<!-- ".repeat(500_000)}<Row><a>2</a></Row></Rows>`;
  const rows = await all(readFiles([{ chunks: chunksOf(content, 65_536) }], xmlRows("Row")));
  expect(rows.map((row) => ("reason" in row ? row.text : row.values))).toEqual([
    { element: "Row", a: "1" },
    { element: "Row", a: "2" },
  ]);
});

test("a start tag without an end is searched once, however large the file", async () => {
  // Each megabyte is searched as it comes; the limit of 16 MB ends it. Searching again from the front took minutes.
  const endless = async function* () {
    yield Buffer.from('<Rows><Row a="');
    for (;;) yield Buffer.from("x='>' y ".repeat(8_000));
  };
  const reading = all(readFiles([{ chunks: endless() }], xmlRows("Row")));
  await expect(reading).rejects.toThrow("has a record of more than 16 MB");
});
