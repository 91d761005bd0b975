import type { Dataset } from "../../../shared/datasets.ts";
import { filterFields } from "../explorer/filters.generated.ts";

/** Dataset and parameters in words: "grants: Search water, States OH". A filter has its name in the explorer. */
export function describeSearch({ dataset, query }: { dataset: Dataset; query: string }): string {
  const labels = new Map(filterFields[dataset].map(({ name, label }) => [name, label]));
  const parameters = [...new URLSearchParams(query)].map(
    ([name, value]) => `${labels.get(name) ?? name.replaceAll("_", " ")} ${value}`,
  );
  return parameters.length === 0 ? `All ${dataset}` : `${dataset}: ${parameters.join(", ")}`;
}
