/** A block of a page of the documentation: all the Markdown that these pages use. */
export type Block =
  | { kind: "heading"; level: 2 | 3; text: string; id: string }
  | { kind: "paragraph"; text: string }
  | { kind: "list"; isOrdered: boolean; items: readonly string[] }
  | { kind: "table"; rows: readonly string[]; number: number }
  | { kind: "code"; language: string; text: string; number: number };

/** Blocks of a page, without its title and its comments. Code and tables are numbered, so that each has a name of its own. */
export function parseMarkdown(page: string): Block[] {
  const blocks: Block[] = [];
  const lines = page.split("\n");
  let number = 0;
  for (let at = 0; at < lines.length; ) {
    const first = lines[at] ?? "";
    const count = blockLength(lines, at);
    const own = lines.slice(at, at + count);
    at += count;
    if (first.startsWith("```")) {
      const language = first.slice(3).split(" ")[0] ?? "";
      blocks.push({ kind: "code", language, text: own.slice(1, -1).join("\n"), number: ++number });
    } else if (first.startsWith(indent)) {
      blocks.push({
        kind: "code",
        language: "sh",
        text: own.map((line) => line.slice(4)).join("\n"),
        number: ++number,
      });
    } else if (first.startsWith("|")) blocks.push({ kind: "table", rows: own, number: ++number });
    else if (/^###? /.test(first)) {
      const text = first.replace(/^#+ /, "");
      blocks.push({ kind: "heading", level: first.startsWith("### ") ? 3 : 2, text, id: slugOf(text) });
    } else if (isItem(first)) blocks.push({ kind: "list", isOrdered: /^\d/.test(first), items: itemsOf(own) });
    else if (first !== "" && !first.startsWith("# ") && !first.startsWith("<!--"))
      blocks.push({ kind: "paragraph", text: own.join(" ") });
  }
  return blocks;
}

/** Begins a line of code without a fence. */
const indent = "    ";
const isItem = (line: string) => /^(-|\d+\.) /.test(line);
const isMark = (line: string) => /^(```|\||#|<!--|$)/.test(line);

/** Number of lines of the block that begins at a line. */
function blockLength(lines: readonly string[], at: number): number {
  const rest = lines.slice(at + 1);
  const first = lines[at] ?? "";
  if (first.startsWith("```")) return rest.findIndex((line) => line.startsWith("```")) + 2;
  const end = rest.findIndex((line) => !isOfBlock(line, first));
  return end === -1 ? rest.length + 1 : end + 1;
}

/** Whether a line is of the block that another begins. */
function isOfBlock(line: string, first: string): boolean {
  if (first.startsWith("|")) return line.startsWith("|");
  if (first.startsWith(indent)) return line.startsWith(indent);
  if (isMark(first) || isMark(line)) return false;
  return isItem(first) || !isItem(line);
}

function itemsOf(lines: readonly string[]): string[] {
  const items: string[] = [];
  for (const line of lines) {
    if (isItem(line)) items.push(line.replace(/^(-|\d+\.) /, ""));
    else items.push(`${items.pop() ?? ""} ${line.trim()}`);
  }
  return items;
}

/** Anchor of a heading, as GitHub makes it. */
export function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(" ", "-");
}

/** A part of a line: plain, or marked up. */
export interface Span {
  kind: "text" | "code" | "strong" | "em" | "link";
  text: string;
  /** Where a link leads. */
  href?: string;
}

const marks = /`([^`]+)`|\*\*([^*]+)\*\*|\[((?:[^[\]]|\[[^\]]*\])+)\]\(([^()\s]+)\)|(?<![*\w])\*([^*\s][^*]*)\*/g;

/** Parts of a line. A link's words and strong text may have marks of their own. */
export function parseSpans(line: string): Span[] {
  const spans: Span[] = [];
  let end = 0;
  for (const match of line.matchAll(marks)) {
    const [whole, code, strong, words, href, em] = match;
    if (match.index > end) spans.push({ kind: "text", text: line.slice(end, match.index) });
    end = match.index + whole.length;
    if (code !== undefined) spans.push({ kind: "code", text: code });
    else if (strong !== undefined) spans.push({ kind: "strong", text: strong });
    else if (words !== undefined) spans.push({ kind: "link", text: words, ...(href !== undefined && { href }) });
    else if (em !== undefined) spans.push({ kind: "em", text: em });
  }
  if (end < line.length) spans.push({ kind: "text", text: line.slice(end) });
  return spans;
}

/** Where a link of a page leads in the reference: to another page's address, an anchor, or elsewhere. */
export function resolveLink(href: string): string {
  return href.replace(/^([a-z-]+)\.md/, "/reference/guide-$1");
}
