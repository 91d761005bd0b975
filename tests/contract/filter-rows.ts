import type { Query } from "./client.ts";
import { median, mostFrequent } from "./discover.ts";
import type { Contract, Opportunity, RecordOf } from "./schemas.ts";

/** A row of the contract's parameter tables: a filter, and which records it keeps. */
export interface FilterRow<Item> {
  guarantee: string;
  /** The filter with values taken from the records, or undefined when no record has one. */
  choose(records: readonly Item[]): Query | undefined;
  keeps(record: Item, query: Query): boolean;
}

const isAwarded = (record: Opportunity) => "project_end_date" in record;
const present = <Value>(value: Value | null | undefined): value is Value => value !== null && value !== undefined;
const moment = (value: unknown) => Date.parse(String(value));

function given(name: string, value: string | number | undefined): Query | undefined {
  return value === undefined ? undefined : { [name]: value };
}
/** The first two different values. */
function severalOf(name: string, values: readonly string[]): Query | undefined {
  const [one, other] = new Set(values);
  return one === undefined || other === undefined ? undefined : { [name]: [one, other] };
}
const deadlines = (records: readonly Opportunity[]) => records.map((one) => one.deadline_date).filter(present);
const wholeAmounts = (records: readonly Opportunity[], field: "amount_min" | "amount_max") =>
  records
    .map((one) => one[field])
    .filter((value) => present(value) && Number.isSafeInteger(value))
    .filter(present);
const hasCategory = (record: Opportunity, category: unknown) =>
  record.categories.some((one) => one.toLowerCase() === String(category).toLowerCase());

const status = (asked: string, ...meant: string[]): FilterRow<Opportunity> => ({
  guarantee: `status=${asked} keeps records whose status is ${meant.join(" or ")}`,
  choose: (records) => (records.some((one) => meant.includes(one.status)) ? { status: asked } : undefined),
  keeps: (record) => meant.includes(record.status),
});

const opportunityRows: FilterRow<Opportunity>[] = [
  {
    guarantee: "opportunity_type=open keeps applyable opportunities and active solicitations, no awarded projects",
    choose: () => ({ opportunity_type: "open" }),
    keeps: (record) => !isAwarded(record),
  },
  {
    guarantee: "opportunity_type=awarded keeps awarded projects alone",
    choose: () => ({ opportunity_type: "awarded" }),
    keeps: isAwarded,
  },
  {
    guarantee: "category keeps records with that category",
    choose: (records) => given("category", mostFrequent(records.flatMap((one) => one.categories))),
    keeps: (record, { category }) => hasCategory(record, category),
  },
  {
    guarantee: "category does not mind case",
    choose: (records) => given("category", mostFrequent(records.flatMap((one) => one.categories))?.toUpperCase()),
    keeps: (record, { category }) => hasCategory(record, category),
  },
  {
    guarantee: "several categories keep records with any of them",
    choose: (records) =>
      severalOf(
        "category",
        records.flatMap((one) => one.categories),
      ),
    keeps: (record, { category }) => [category].flat().some((one) => hasCategory(record, one)),
  },
  {
    guarantee: "exclude_category keeps records with none of them, and those without categories",
    choose: (records) =>
      severalOf(
        "exclude_category",
        records.flatMap((one) => one.categories),
      ),
    keeps: (record, { exclude_category }) => ![exclude_category].flat().some((one) => hasCategory(record, one)),
  },
  {
    guarantee: "several statuses keep records with any of them",
    choose: () => ({ status: "closed,upcoming" }),
    keeps: ({ status }) => ["closed", "upcoming", "forecasted"].includes(status),
  },
  {
    guarantee: "exclude_status keeps records of other statuses",
    choose: () => ({ exclude_status: "posted" }),
    keeps: ({ status }) => !["open", "posted"].includes(status),
  },
  {
    guarantee: "min_amount keeps records whose amount_max is at least that",
    choose: (records) => given("min_amount", median(wholeAmounts(records, "amount_max"))),
    keeps: (record, { min_amount }) => record.amount_max !== null && record.amount_max >= Number(min_amount),
  },
  {
    guarantee: "max_amount keeps records whose amount_min is at most that",
    choose: (records) => given("max_amount", median(wholeAmounts(records, "amount_min"))),
    keeps: (record, { max_amount }) => record.amount_min !== null && record.amount_min <= Number(max_amount),
  },
  {
    guarantee: "min_amount=0 keeps every record that has an amount_max, and none that has not",
    choose: () => ({ min_amount: 0 }),
    keeps: (record) => record.amount_max !== null,
  },
  {
    guarantee: "a boundless max_amount keeps every record that has an amount_min, and none that has not",
    choose: () => ({ max_amount: Number.MAX_SAFE_INTEGER }),
    keeps: (record) => record.amount_min !== null,
  },
  {
    guarantee: "deadline_after keeps later deadlines, not that day's",
    choose: (records) => given("deadline_after", median(deadlines(records))),
    keeps: (record, { deadline_after }) =>
      record.deadline_date !== null && record.deadline_date > String(deadline_after),
  },
  {
    guarantee: "deadline_before keeps earlier deadlines, not that day's",
    choose: (records) => given("deadline_before", median(deadlines(records))),
    keeps: (record, { deadline_before }) =>
      record.deadline_date !== null && record.deadline_date < String(deadline_before),
  },
  {
    guarantee: "posted_after as a date-time keeps records created later, not at that moment",
    choose: (records) => given("posted_after", median(records.map((one) => one.created_at))),
    keeps: (record, { posted_after }) => moment(record.created_at) > moment(posted_after),
  },
  {
    guarantee: "posted_after as a date keeps records created after the day's first moment in UTC",
    choose: (records) => given("posted_after", median(records.map((one) => one.created_at))?.slice(0, 10)),
    keeps: (record, { posted_after }) => moment(record.created_at) > moment(`${posted_after}T00:00:00Z`),
  },
  {
    guarantee: "posted_after means the moment, in whatever offset it is written",
    choose: (records) => given("posted_after", inNewYork(median(records.map((one) => one.created_at)))),
    keeps: (record, { posted_after }) => moment(record.created_at) > moment(posted_after),
  },
  {
    guarantee: "filters narrow together",
    choose(records) {
      const min_amount = median(wholeAmounts(records, "amount_max"));
      const category = mostFrequent(
        records.filter((one) => (one.amount_max ?? -1) >= (min_amount ?? 0)).flatMap((one) => one.categories),
      );
      return category === undefined || min_amount === undefined ? undefined : { category, min_amount };
    },
    keeps: (record, { category, min_amount }) =>
      hasCategory(record, category) && record.amount_max !== null && record.amount_max >= Number(min_amount),
  },
];

const contractRows: FilterRow<Contract>[] = [
  {
    guarantee: "status takes any status that contracts have",
    choose: (records) =>
      given(
        "status",
        records.map((one) => one.status).find((one) => !["open", "closed", "posted"].includes(one)),
      ),
    // The grants' vocabularies may be one here too: upcoming is forecasted.
    keeps: (record, { status }) =>
      record.status === status || [record.status, status].sort().join() === "forecasted,upcoming",
  },
  {
    guarantee: "naics keeps contracts of that industry",
    choose: (records) => given("naics", mostFrequent(records.map((one) => one.naics).filter(present))),
    keeps: (record, { naics }) => record.naics === naics,
  },
  {
    guarantee: "naics keeps contracts of any of several industries",
    choose: (records) => severalOf("naics", records.map((one) => one.naics).filter(present)),
    keeps: (record, { naics }) => [naics].flat().includes(record.naics ?? ""),
  },
  {
    guarantee: "two digits of naics keep contracts of the sector",
    choose: (records) => given("naics", mostFrequent(records.map((one) => one.naics).filter(present))?.slice(0, 2)),
    keeps: (record, { naics }) => record.naics?.startsWith(String(naics)) === true,
  },
  {
    guarantee: "exclude_naics keeps contracts of other sectors, and those without a code",
    choose: (records) =>
      given("exclude_naics", mostFrequent(records.map((one) => one.naics).filter(present))?.slice(0, 2)),
    keeps: (record, { exclude_naics }) => record.naics?.startsWith(String(exclude_naics)) !== true,
  },
  {
    guarantee: "set_aside keeps contracts with that code",
    choose: (records) => given("set_aside", mostFrequent(records.map((one) => one.set_aside_code).filter(present))),
    keeps: (record, { set_aside }) => record.set_aside_code === set_aside,
  },
  {
    guarantee: "set_aside does not mind case",
    choose: (records) =>
      given("set_aside", mostFrequent(records.map((one) => one.set_aside_code).filter(present))?.toLowerCase()),
    keeps: (record, { set_aside }) => record.set_aside_code?.toLowerCase() === set_aside,
  },
  {
    guarantee: "set_aside=HUBZone means the code HZC",
    choose: (records) => (records.some((one) => one.set_aside_code === "HZC") ? { set_aside: "HUBZone" } : undefined),
    keeps: (record) => ["HZC", "HUBZONE"].includes(record.set_aside_code?.toUpperCase() ?? ""),
  },
];

/** Every filter whose effect shows in the records themselves. */
export const filterRows: { [Name in "grants-api" | "contracts-api"]: FilterRow<RecordOf[Name]>[] } = {
  "grants-api": [
    ...opportunityRows,
    status("open", "open", "posted"),
    status("posted", "open", "posted"),
    status("upcoming", "upcoming", "forecasted"),
    status("forecasted", "upcoming", "forecasted"),
    status("closed", "closed"),
  ],
  "contracts-api": [...opportunityRows, status("open", "open", "posted"), status("closed", "closed"), ...contractRows],
};

/** The same moment with New York's winter offset. */
function inNewYork(utc: string | undefined): string | undefined {
  if (utc === undefined) return undefined;
  const local = new Date(Date.parse(utc) - 5 * 3_600_000).toISOString();
  return local.replace("Z", "-05:00");
}
