import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** A fenced block of a Markdown file. */
export interface Block {
  /** The file and the line of the fence: `docs/api.md:53`. */
  location: string;
  language: string;
  /** The other words after the fence's language, for example `no-run`. */
  marks: string[];
  text: string;
  /** The block that comes next in the file. */
  next?: Block;
}

/** Files whose examples are run. */
export const documents = [
  "README.md",
  "packages/client/README.md",
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".md"))
    .sort()
    .map((path) => `docs/${path}`),
];

export function blocksOf(document: string): Block[] {
  const blocks: Block[] = [];
  let open: (Block & { fence: string; lines: string[] }) | undefined;
  for (const [index, line] of readFileSync(join(root, document), "utf8").split("\n").entries()) {
    const [, fence = "", info = ""] = /^\s*(`{3,})(.*)$/.exec(line) ?? [];
    if (open === undefined && fence !== "") {
      const [language = "", ...marks] = info.trim().split(/\s+/);
      open = { location: `${document}:${index + 1}`, language, marks, text: "", fence, lines: [] };
    } else if (open !== undefined && fence === open.fence && info.trim() === "") {
      const { fence: _, lines, ...block } = open;
      blocks.push({ ...block, text: `${lines.join("\n")}\n` });
      open = undefined;
    } else {
      open?.lines.push(line);
    }
  }
  if (open !== undefined) throw new Error(`${open.location}: the block does not end`);
  for (const [index, block] of blocks.entries()) {
    const next = blocks[index + 1];
    if (next !== undefined) block.next = next;
  }
  return blocks;
}

/** Text of the block of docs/operate/back-up.md with this mark: commands that a test runs as they stand there. */
export function recipe(mark: string): string {
  const block = blocksOf("docs/operate/back-up.md").find(({ marks }) => marks.includes(mark));
  if (block === undefined) throw new Error(`docs/operate/back-up.md has no block ${mark}`);
  return block.text;
}
