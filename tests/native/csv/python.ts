import { spawn } from "node:child_process";
import { blocksOf } from "../../docs/blocks.ts";

/** The functions that docs/csv.md gives readers, less its example of their use. */
const documented = (blocksOf("docs/csv.md").find(({ language }) => language === "python")?.text ?? "").replace(
  /^with open[\s\S]*/m,
  "",
);

const program = `${documented}
import io, json, sys

lists = {"categories"}
file = io.TextIOWrapper(sys.stdin.buffer, encoding="utf-8", newline="")
reader = csv.reader(file, strict=True)
columns = next(reader)
rows = []
for cells in reader:
    if len(cells) != len(columns):
        sys.exit("line %d has %d cells for %d columns: %r" % (reader.line_num, len(cells), len(columns), cells))
    rows.append({c: items_of(cell) if c in lists else text_of(cell) for c, cell in zip(columns, cells)})
json.dump(rows, sys.stdout)
`;

/**
 * A CSV file as Python's csv module reads it in strict mode, with texts and lists brought back as docs/csv.md says.
 *
 * @throws when Python does, or a line has too many or too few cells.
 */
export async function readByPython(file: string): Promise<Record<string, string | string[]>[]> {
  const child = spawn("python3", ["-c", program], { stdio: ["pipe", "pipe", "pipe"] });
  const read = async (stream: AsyncIterable<Buffer>) => {
    const parts: Buffer[] = [];
    for await (const part of stream) parts.push(part);
    return Buffer.concat(parts).toString("utf8");
  };
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  // Python may end before it has read all: its own message says why.
  child.stdin.on("error", () => undefined);
  child.stdin.end(file);
  const [output, message, status] = await Promise.all([read(child.stdout), read(child.stderr), ended]);
  if (status !== 0) throw new Error(message);
  return JSON.parse(output) as Record<string, string | string[]>[];
}
