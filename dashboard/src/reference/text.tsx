import type { ReactNode } from "react";
import { inline } from "../components/inline.tsx";
import "../components/table.css";

/** A description of the document: paragraphs, tables and `code`, all the Markdown that there is in it. */
export function Text({ children, className }: { children: string; className?: string }) {
  const blocks = children.trim().split(/\n{2,}/);
  return blocks.map((block, index) =>
    block.startsWith("|") ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the text never changes
      <MarkdownTable key={index} rows={block.split("\n")} label="Table" />
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the text never changes
      <p key={index} className={className}>
        {inline(block)}
      </p>
    ),
  );
}

/** A table of Markdown: its rows with the heads first, and how a cell is rendered. */
export function MarkdownTable({
  rows: [head = "", , ...rows],
  label,
  render = inline,
}: {
  rows: readonly string[];
  label: string;
  render?: (cell: string) => ReactNode;
}) {
  const cells = (row: string) =>
    row
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim());
  const names = cells(head);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable with the keyboard
    <section className="table-scroll" tabIndex={0} aria-label={label}>
      <table className="table reference-table">
        <thead>
          <tr>
            {names.map((name, column) => (
              // The last column of the document's table explains the others, and has no name there.
              <th key={name} scope="col">
                {render(
                  name === "" ? (column === 0 ? "Name" : "Meaning") : name.charAt(0).toUpperCase() + name.slice(1),
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row}>
              {cells(row).map((cell, column) => (
                <td key={names[column]}>{render(cell)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
