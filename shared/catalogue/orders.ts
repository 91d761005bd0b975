import type { Dataset } from "../datasets.ts";

/**
 * An order of lists.
 *
 * @property datasets datasets whose lists have it as a value of `sort_by`. None: the CommonGrants search alone has it, whose pages have no cursors.
 * @property key SQL for what is sorted by, over the row `record`, or over `found` of a ranking.
 * @property form what the key is, in a cursor too.
 * @property hasNulls whether records may lack it: they come last in both directions.
 */
export interface Order {
  datasets: readonly Dataset[];
  key: string;
  form: "moment" | "exactMoment" | "day" | "number" | "score" | "text";
  hasNulls?: true;
}

const opportunities = ["grants", "contracts"] as const;
const all = ["grants", "contracts", "funders"] as const;

/** Every order, in the order of the values of `sort_by`. */
export const orders = {
  name: { datasets: ["funders"], key: 'funding.title_key(record.name) collate "C"', form: "text" },
  created_at: { datasets: all, key: "record.created_at", form: "moment" },
  // The feed of changes passes over none: its cursors need the microseconds.
  updated_at: { datasets: all, key: "record.updated_at", form: "exactMoment" },
  deadline_date: { datasets: opportunities, key: "record.deadline_date", form: "day", hasNulls: true },
  amount_min: { datasets: opportunities, key: "record.amount_min", form: "number", hasNulls: true },
  amount_max: { datasets: opportunities, key: "record.amount_max", form: "number", hasNulls: true },
  title: { datasets: opportunities, key: 'funding.title_key(record.title) collate "C"', form: "text" },
  relevance: { datasets: all, key: "found.score", form: "score" },
  // A status in the words of the CommonGrants search.
  status: {
    datasets: [],
    key: `case when record.status in ('open', 'posted') then 'open' when record.status = 'closed' then 'closed' else 'forecasted' end collate "C"`,
    form: "text",
  },
  total_funding: {
    datasets: [],
    key: "(record.details->>'total_funding')::double precision",
    form: "number",
    hasNulls: true,
  },
  expected_awards: {
    datasets: [],
    key: "(record.details->>'expected_awards')::double precision",
    form: "number",
    hasNulls: true,
  },
  awarded_amount: {
    datasets: [],
    key: "coalesce((record.details->>'obligated_amount')::double precision, record.amount_max)",
    form: "number",
    hasNulls: true,
  },
} satisfies Record<string, Order>;

export type OrderName = keyof typeof orders;

/** Values of `sort_by` of a dataset's lists. */
export function orderNames(dataset: Dataset): [OrderName, ...OrderName[]] {
  const names = Object.entries<Order>(orders).flatMap(([name, { datasets }]) =>
    datasets.includes(dataset) ? [name as OrderName] : [],
  );
  return names as [OrderName, ...OrderName[]];
}
