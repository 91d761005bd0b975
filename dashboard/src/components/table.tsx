import type { ReactNode } from "react";
import "./table.css";

/** Name of a column, or its name and class: `["p95", "number"]`. */
export type Column = string | readonly [name: string, className: string];

/** Table with its rows as children. Its cells are cards on a phone, where each has its column's name as `data-label`. */
export function Table({
  caption,
  columns,
  hasActions = false,
  className = "table-cards",
  children,
}: {
  /** Name of the table for screen readers, where nothing else names it. */
  caption?: string;
  columns: readonly Column[];
  /** A last column, whose name is for screen readers alone. */
  hasActions?: boolean;
  className?: string;
  children: ReactNode;
}) {
  return (
    <table className={`table ${className}`}>
      {caption !== undefined && <caption className="visually-hidden">{caption}</caption>}
      <thead>
        <tr>
          {columns.map((column) => {
            const [name, className] = typeof column === "string" ? [column] : column;
            return (
              <th key={name} scope="col" className={className}>
                {name}
              </th>
            );
          })}
          {hasActions && (
            <th scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}
