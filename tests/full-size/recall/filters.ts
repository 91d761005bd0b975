/** A filter as the API takes it, and the same in SQL, written for this test. */
export interface Filter {
  keeps: string;
  query: string;
  condition: string;
}

/** Grants that a list shows without further filters. */
export const listed = "classification = 'opportunity' and archived_at is null";

/** Filters of grants, from none to one that keeps a record in a thousand. */
export const filters: Filter[] = [
  { keeps: "all", query: "", condition: listed },
  {
    keeps: "10 %",
    query: "min_amount=500000&status=open",
    condition: `${listed} and amount_max >= 500000 and status in ('open', 'posted')`,
  },
  { keeps: "10 %", query: "status=upcoming", condition: `${listed} and status in ('upcoming', 'forecasted')` },
  { keeps: "1 %", query: "states=ID", condition: `${listed} and 'ID' = any (states)` },
  { keeps: "1 %", query: "max_amount=500", condition: `${listed} and amount_min <= 500` },
  {
    keeps: "0.1 %",
    query: "states=ID&category=energy",
    condition: `${listed} and 'ID' = any (states) and 'energy' = any (category_keys)`,
  },
  {
    keeps: "0.1 %",
    query: "max_amount=500&status=upcoming",
    condition: `${listed} and amount_min <= 500 and status in ('upcoming', 'forecasted')`,
  },
];
