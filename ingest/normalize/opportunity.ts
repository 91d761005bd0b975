import { RejectedRow } from "../errors.ts";
import { parsers } from "../fields/parsers.ts";
import { placeOf } from "../fields/place.ts";
import type { Status } from "../fields/status.ts";
import type { FieldValues } from "../mapping/apply.ts";
import type { ContractRecord, GrantRecord } from "../record.ts";
import type { Context } from "./context.ts";
import { fieldReader } from "./field-reader.ts";
import { derivedId } from "./source-id.ts";

/** @throws {RejectedRow} when the row cannot become a grant. */
export function grantOf(values: FieldValues, context: Context): GrantRecord {
  const row = fieldReader(parsers.grants, values, context);
  const shared = sharedOf(values, context);
  return {
    ...shared,
    ...statusOf(row.read("status"), shared, context, {
      whileOpen: "posted",
      afterwards: "closed",
      whenAwarded: "closed",
    }),
  };
}

/** @throws {RejectedRow} when the row cannot become a contract. */
export function contractOf(values: FieldValues, context: Context): ContractRecord {
  const row = fieldReader(parsers.contracts, values, context);
  const shared = sharedOf(values, context);
  return {
    ...shared,
    ...statusOf<string>(row.read("status"), shared, context, {
      whileOpen: "open",
      afterwards: "closed",
      whenAwarded: "awarded",
    }),
    document_url: row.read("document_url"),
    naics: row.read("naics"),
    primary_contact_email: row.read("primary_contact_email"),
    set_aside_code: row.read("set_aside_code"),
  };
}

type Shared = Omit<GrantRecord, "status">;

/** Everything but the status, which needs the rest, and what contracts have besides. */
function sharedOf(values: FieldValues, context: Context): Shared {
  const { source } = context;
  const row = fieldReader(parsers.grants, values, context);
  const title = row.require("title");
  const funder_name = row.require("funder_name");
  const classification = row.read("classification") ?? "opportunity";
  const deadline = row.read("deadline_date");
  const projectEnd = row.read("project_end_date");
  const listing_url = row.read("listing_url");
  const created_at = row.read("created_at");
  return {
    source,
    source_id: row.read("source_id") ?? derivedId([title, funder_name, listing_url, created_at]),
    title,
    description: row.read("description"),
    ...amountsOf(row.read("amount_min"), row.read("amount_max")),
    deadline_date: classification === "opportunity" ? deadline : null,
    project_end_date: classification === "awarded_project" ? projectEnd : null,
    classification,
    ...placeOf(
      {
        states: row.read("states"),
        geography: row.read("geography"),
        is_national: row.read("is_national"),
        country: row.read("place_country"),
        zip: row.read("place_zip"),
      },
      context.places,
    ),
    funder_name,
    funder_source_id: row.read("funder_source_id"),
    listing_url,
    created_at,
    archived_at: row.read("archived_at"),
    categories: row.read("categories"),
    identifiers: row.read("identifiers"),
  };
}

function amountsOf(amount_min: number | null, amount_max: number | null): Pick<Shared, "amount_min" | "amount_max"> {
  for (const [name, amount] of Object.entries({ amount_min, amount_max })) {
    if (amount !== null && amount < 0) throw new RejectedRow(`${name} is negative: ${amount}`);
  }
  if (amount_min !== null && amount_max !== null && amount_min > amount_max) {
    throw new RejectedRow(`amount_min ${amount_min} is more than amount_max ${amount_max}`);
  }
  return { amount_min, amount_max };
}

/** Statuses that an awarded project cannot have. */
const stillComing: ReadonlySet<string> = new Set(["open", "posted", "forecasted", "upcoming"]);

/** The source's status, or one that follows from the deadline; and when the record was archived. */
function statusOf<Name extends string>(
  given: Status<Name> | null,
  { classification, deadline_date, created_at, archived_at }: Shared,
  { today, note }: Context,
  defaults: { whileOpen: Name; afterwards: Name; whenAwarded: Name },
): { status: Name; archived_at: string | null } {
  if (given === null) {
    const isOver = archived_at !== null || (deadline_date !== null && deadline_date < today);
    const status = isOver ? defaults.afterwards : defaults.whileOpen;
    return { status: classification === "awarded_project" ? defaults.whenAwarded : status, archived_at };
  }
  if (!given.isArchived) {
    // SAM.gov calls a recent award notice active; there is nothing to apply for all the same.
    const isOver = classification === "awarded_project" && stillComing.has(given.name);
    return { status: isOver ? defaults.whenAwarded : given.name, archived_at };
  }
  // The day of the import would be another at every import, so it cannot stand in.
  const deadline = deadline_date === null ? null : `${deadline_date}T00:00:00.000Z`;
  const archived = archived_at ?? deadline ?? created_at;
  if (archived === null) note("archived, but without a date: kept as closed");
  return { status: given.name, archived_at: archived };
}
