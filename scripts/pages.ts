/**
 * Writes the pages of docs/ for customers into functions/openapi/pages.generated.ts, for the function that serves them beside the OpenAPI document,
 * and their titles and headings into dashboard/src/reference/guides.generated.ts, with the tools of the Model Context Protocol.
 *
 * usage: node local/deno.mjs scripts/pages.ts [--check]
 *
 * With --check it writes nothing, and fails when the files are not what it would write.
 */

import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { tools } from "../functions/mcp/tools.ts";
import { printError } from "../local/print.ts";

/** In the order in which a reader needs them. Pages for operators and for whoever changes the code are not among them. */
const names = [
  "api",
  "authentication",
  "filters",
  "searching",
  "paging",
  "csv",
  "errors",
  "webhooks",
  "saved-searches",
  "mcp",
  "common-grants",
  "accounts",
  "members",
  "usage",
];

const pathOf = (relative: string) => fileURLToPath(new URL(`../${relative}`, import.meta.url));

/** A page's text as it is served: links to what is not served with it are words alone. */
function served(text: string): string {
  return text
    .replace(/<picture>[\s\S]*?<\/picture>\n*/g, "")
    .replace(/\[((?:[^[\]]|\[[^\]]*\])+)\]\(([^()\s]+)\)/g, (link, words: string, to: string) => {
      const page = /^([a-z-]+)\.md(?:#|$)/.exec(to)?.[1];
      const isServed = to.startsWith("#") || /^https?:/.test(to) || (page !== undefined && names.includes(page));
      return isServed ? link : words;
    });
}

/** Headings below the title, as plain text. */
function headingsOf(text: string): string[] {
  return [...text.matchAll(/^##+ (.+)$/gm)].map(([, heading = ""]) => heading.replace(/`/g, ""));
}

/** The title, and the first sentence below it as plain text, up to a length that a list of pages has room for. */
function describePage(text: string): { title: string; summary: string } {
  const [heading = "", first = ""] = text.split(/\n\n/);
  const plain = first.replace(/\n/g, " ").replace(/\[([^\]]+)\]\([^)]+\)/g, "$1");
  const isProse = /^[A-Z`]/.test(plain) && !plain.startsWith("|");
  const sentence = /^.*?[.](?= |$)/.exec(plain)?.[0] ?? "";
  return { title: heading.replace(/^# /, ""), summary: isProse && sentence.length <= 200 ? sentence : "" };
}

const pages = await Promise.all(
  names.map(async (name) => {
    const text = await readFile(pathOf(`docs/${name}.md`), "utf8");
    return { name, ...describePage(text), text: served(text) };
  }),
);

const text = `// Written by scripts/pages.ts from docs/: do not edit.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: examples in the pages

/** A page of the documentation, as Markdown. */
export interface Page {
  /** Of its file, without \`.md\`. */
  name: string;
  title: string;
  /** Its first sentence; empty where it begins with a table. */
  summary: string;
  text: string;
}

/** The pages for customers, in the order in which a reader needs them. */
// biome-ignore format: written by a script
export const pages: readonly Page[] = ${JSON.stringify(pages, null, 2)};
`;

const guides = pages.map(({ name, title, summary, text: page }) => ({
  name,
  title,
  summary,
  headings: headingsOf(page),
}));
const firstSentence = (description: string) => /^.*?[.](?= |$)/.exec(description)?.[0] ?? description;
const listed = tools.map(({ name, title, description }) => ({ name, title, description: firstSentence(description) }));

const guidesText = `// Written by scripts/pages.ts from docs/ and functions/mcp/tools.ts: do not edit.

/** Pages of the documentation that the API serves at \`/openapi/docs/NAME\`. */
// biome-ignore format: written by a script
export const guides: readonly { name: string; title: string; summary: string; headings: readonly string[] }[] = ${JSON.stringify(guides)};

/** Tools of \`/mcp\`. */
// biome-ignore format: written by a script
export const tools: readonly { name: string; title: string; description: string }[] = ${JSON.stringify(listed)};
`;

const targets = [
  ["functions/openapi/pages.generated.ts", text],
  ["dashboard/src/reference/guides.generated.ts", guidesText],
] as const;
for (const [path, wanted] of targets) {
  if (!process.argv.includes("--check")) await writeFile(pathOf(path), wanted);
  else if ((await readFile(pathOf(path), "utf8").catch(() => "")) !== wanted) {
    printError(`${path} is not of docs/: run npm run openapi`);
    process.exitCode = 1;
  }
}
