import { callerPath } from "../local/caller-path.mjs";
import { print } from "../local/print.ts";
import { runCommand } from "./command.ts";
import { readNamedFile } from "./documents/named-file.ts";
import { jsonLines, passageLines, summaryLines } from "./documents/output.ts";
import { UsageError } from "./options.ts";

const help = `Reads documents of funding opportunities: PDF, DOCX, HTML and plain text. Shows their pages, passages and facts, or why
one cannot be read. Each is read in a process of its own, without permissions, in at most 20 s and 512 MB.

usage: npm run documents -- read FILE...

options:
  --passages           show the passages: number, pages, headings, text
  --json               one JSON object a line for each passage, with the facts found in it
  --help

exit status: 0 all were read, 1 one could not be read, 2 the command was called wrongly.`;

await runCommand({
  help,
  allowPositionals: true,
  options: { passages: { type: "boolean" }, json: { type: "boolean" } },
  async run({ values, positionals: [action, ...files] }) {
    if (action !== "read" || files.length === 0) throw new UsageError("Say read and one or more files.");
    if (values.json && values.passages) throw new UsageError("Say --passages or --json, not both.");
    let status = 0;
    for (const file of files) {
      const result = await readNamedFile(file, callerPath(file));
      if (result.document.kind === "unreadable") status = 1;
      print(
        values.json ? jsonLines(result) : [...summaryLines(result), ...(values.passages ? passageLines(result) : [])],
      );
    }
    return status;
  },
});
