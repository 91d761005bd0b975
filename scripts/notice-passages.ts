import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readNamedFile } from "../cli/documents/named-file.ts";
import { callerPath } from "../local/caller-path.mjs";

/**
 * Writes the passages of the notices that relevance is measured with, as `npm run documents -- read` finds them: a line each.
 *
 * usage: node local/deno.mjs scripts/notice-passages.ts FOLDER
 */
const files = [
  "acf-notice.pdf",
  "acl-notice.pdf",
  "samhsa-notice.pdf",
  "hhs-notice.html",
  "hhs-notice-details.docx",
  "hhs-notice-lists.docx",
];

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("Name the folder of the notices.");
const lines: string[] = [];
for (const file of files) {
  for await (const { document } of readNamedFile(file, join(callerPath(folder), file))) {
    if (document.kind === "unreadable") throw new Error(`${file}: ${document.message}`);
    for (const { number, firstPage, lastPage, headingPath, text } of document.passages) {
      const _id = `${file.replace(/\.\w+$/, "")}:${number}`;
      lines.push(JSON.stringify({ _id, title: headingPath, text, first_page: firstPage, last_page: lastPage }));
    }
  }
}
await writeFile(
  fileURLToPath(new URL("../tests/relevance/notices/corpus.jsonl", import.meta.url)),
  `${lines.join("\n")}\n`,
);
