import { RejectedRow } from "../errors.ts";
import type { AmountRange } from "../fields/amount.ts";
import { parseIdentifiers } from "../fields/list.ts";
import { parsers } from "../fields/parsers.ts";
import { resolvePlace } from "../fields/place.ts";
import type { Status } from "../fields/status.ts";
import type { FieldValues } from "../mapping/apply.ts";
import { type ContractRecord, type GrantRecord, unknownPast } from "../record.ts";
import type { Context } from "./context.ts";
import { normalizeDetails } from "./details.ts";
import { createFieldReader } from "./field-reader.ts";

/** @throws {RejectedRow} when the row cannot become a grant. */
export function normalizeGrant(values: FieldValues, context: Context): GrantRecord {
  const row = createFieldReader(parsers.grants, values, context);
  const shared = normalizeShared(values, context);
  return {
    ...shared,
    ...resolveStatus(row.read("status"), shared, { whileOpen: "posted", whenAwarded: "closed" }),
  };
}

/** @throws {RejectedRow} when the row cannot become a contract. */
export function normalizeContract(values: FieldValues, context: Context): ContractRecord {
  const row = createFieldReader(parsers.contracts, values, context);
  const shared = normalizeShared(values, context);
  return {
    ...shared,
    ...resolveStatus<string>(row.read("status"), shared, { whileOpen: "open", whenAwarded: "awarded" }),
    document_url: row.read("document_url"),
    naics: row.read("naics"),
    primary_contact_email: row.read("primary_contact_email"),
    set_aside_code: row.read("set_aside_code"),
  };
}

type Shared = Omit<GrantRecord, "status">;

/** Normalizes the fields that grants and contracts share, except the status, which depends on them. */
function normalizeShared(values: FieldValues, context: Context): Shared {
  const { source } = context;
  const row = createFieldReader(parsers.grants, values, context);
  const title = row.require("title");
  const funder_name = row.require("funder_name");
  const classification = row.read("classification") ?? "opportunity";
  const deadline = row.read("deadline_date");
  const projectEnd = row.read("project_end_date");
  const listing_url = row.read("listing_url");
  const created_at = row.read("created_at");
  const deadline_date = classification === "opportunity" ? deadline : null;
  const details = normalizeDetails(values, { deadline_date, classification }, context);
  return {
    source,
    source_id: row.read("source_id") ?? "",
    title,
    description: row.read("description"),
    ...checkAmounts(resolveAmounts(row.read("amount_min"), row.read("amount_max"))),
    deadline_date,
    project_end_date: classification === "awarded_project" ? projectEnd : null,
    classification,
    ...resolvePlace(
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
    identifiers: withNumber(row.read("identifiers"), details.opportunity_number),
    details,
  };
}

type Amounts = Pick<Shared, "amount_min" | "amount_max">;

/** Amounts of the values of both fields. A range, a ceiling or a floor in the one also fills the other, if that has no value. */
function resolveAmounts(least: AmountRange | null, greatest: AmountRange | null): Amounts {
  const limitOf = (range: AmountRange | null, name: "min" | "max") => (range?.isOne === false ? range[name] : null);
  return {
    amount_min: least === null ? limitOf(greatest, "min") : least.min,
    amount_max: greatest === null ? limitOf(least, "max") : greatest.max,
  };
}

/** Adds the number of the opportunity, which people quote, where the identifiers do not have it. */
function withNumber(identifiers: string[], number: string | null | undefined): string[] {
  return [...new Set([...identifiers, ...parseIdentifiers([number])])];
}

function checkAmounts({ amount_min, amount_max }: Amounts): Amounts {
  for (const [name, amount] of Object.entries({ amount_min, amount_max })) {
    if (amount !== null && amount < 0) throw new RejectedRow(`${name} is negative: ${amount}`);
  }
  if (amount_min !== null && amount_max !== null && amount_min > amount_max) {
    throw new RejectedRow(`amount_min ${amount_min} is more than amount_max ${amount_max}`);
  }
  return { amount_min, amount_max };
}

/** Statuses that an awarded project cannot have. */
const openStatuses: ReadonlySet<string> = new Set(["open", "posted", "forecasted", "upcoming"]);

/**
 * Returns the status that the source states, or the one that its record has while it is open; and when the record is archived, which may be
 * planned. Whether the deadline or the archive date has come is decided where the record is stored (`funding.state_at`), since time goes on
 * after an import.
 */
function resolveStatus<Name extends string>(
  given: Status<Name> | null,
  { classification, archived_at }: Shared,
  defaults: { whileOpen: Name; whenAwarded: Name },
): { status: Name; archived_at: string | null } {
  const status = given?.name ?? defaults.whileOpen;
  // SAM.gov calls a recent award notice active, but nobody can apply for it.
  const isOver = classification === "awarded_project" && (given?.isArchived || openStatuses.has(status));
  return {
    status: isOver ? defaults.whenAwarded : status,
    archived_at: given?.isArchived ? (archived_at ?? unknownPast) : archived_at,
  };
}
