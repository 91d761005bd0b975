/** Name of a column, or its name and class: `["p95", "number"]`. */
export type Column = string | readonly [name: string, className: string];

/** Head of a table. The column of actions has a name for screen readers alone. */
export function TableHead({ columns, hasActions = false }: { columns: readonly Column[]; hasActions?: boolean }) {
  return (
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
  );
}
