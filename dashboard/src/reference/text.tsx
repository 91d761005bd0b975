import type { ReactNode } from "react";
import { inline } from "../components/inline.tsx";
import "../components/table.css";

/** A description of the document: paragraphs, tables and `code`, all the Markdown that there is in it. */
export function Text({ children, className }: { children: string; className?: string }) {
  const blocks = children.trim().split(/\n{2,}/);
  return blocks.map((block, index) =>
    block.startsWith("|") ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the text never changes
      <MarkdownTable key={index} rows={block.split("\n")} />
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the text never changes
      <p key={index} className={className}>
        {inline(block)}
      </p>
    ),
  );
}

/** A table of Markdown whose cells have `code`: its rows, with the heads first. */
function MarkdownTable({ rows: [head = "", , ...rows] }: { rows: readonly string[] }) {
  const cells = (row: string) =>
    row
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim());
  // The last column of the document's table explains the others, and has no name there.
  const heads = cells(head).map((name, column) =>
    inline(name === "" ? (column === 0 ? "Name" : "Meaning") : name.charAt(0).toUpperCase() + name.slice(1)),
  );
  return (
    <ReferenceTable label="Table" heads={heads} rows={rows.map((row) => cells(row).map((cell) => inline(cell)))} />
  );
}

/** A table that scrolls by itself where it is too wide. */
export function ReferenceTable({
  label,
  heads,
  rows,
}: {
  label: string;
  heads: readonly ReactNode[];
  rows: readonly (readonly ReactNode[])[];
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable with the keyboard
    <section className="table-scroll" tabIndex={0} aria-label={label}>
      <table className="table reference-table">
        <thead>
          <tr>
            {heads.map((head, column) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the text never changes
              <th key={column} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the text never changes
            <tr key={index}>
              {row.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the text never changes
                <td key={column}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
