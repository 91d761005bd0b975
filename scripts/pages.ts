/**
 * Writes the pages of docs/ for customers into functions/openapi/pages.generated.ts, for the function that serves them beside the OpenAPI document.
 *
 * usage: node local/deno.mjs scripts/pages.ts [--check]
 *
 * With --check it writes nothing, and fails when the file is not what it would write.
 */

import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
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
const target = pathOf("functions/openapi/pages.generated.ts");

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

if (process.argv.includes("--check")) {
  if ((await readFile(target, "utf8").catch(() => "")) !== text) {
    printError("functions/openapi/pages.generated.ts is not of docs/: run npm run openapi");
    process.exitCode = 1;
  }
} else {
  await writeFile(target, text);
}
