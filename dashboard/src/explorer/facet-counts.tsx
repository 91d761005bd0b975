import { formatAmounts, formatCount } from "../format/numbers.ts";
import type { ListBody } from "./body.ts";

/** Limit of values shown of a facet. The JSON has all. */
const shownValues = 5;

/** Counts of a list's records by field. A value filters by it. */
export function FacetCounts({
  facets,
  onFilter,
}: {
  facets: NonNullable<ListBody["facets"]>;
  onFilter: (name: string, value: string) => void;
}) {
  return (
    <div className="facets">
      {Object.entries(facets).map(([name, counts]) => (
        <section key={name} className="facet" aria-label={`Facet ${name}`}>
          <h3>
            <code>{name}</code>
          </h3>
          <ul>
            {counts.length === 0 && <li className="muted small">No values</li>}
            {counts.slice(0, shownValues).map(({ value, count, amount }) => (
              <li key={String(value)}>
                <button
                  type="button"
                  className="facet-value"
                  title={`Filter by ${name}=${value}`}
                  onClick={() => onFilter(name, String(value))}
                >
                  <span className="facet-name">{String(value)}</span>
                  <span className="facet-count muted">
                    {formatCount(count)}
                    {amount !== undefined && amount !== null && ` · ${formatAmounts(amount, amount)}`}
                  </span>
                </button>
              </li>
            ))}
            {counts.length > shownValues && (
              <li className="muted small">and {formatCount(counts.length - shownValues)} more</li>
            )}
          </ul>
        </section>
      ))}
    </div>
  );
}
