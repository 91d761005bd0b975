/** What the documentation lists of filters, orders, facets and details, from their declarations. */
import { readFileSync } from "node:fs";
import * as z from "zod";
import { requestSchema } from "../../openapi/json-schema.ts";
import { customFilters } from "../../shared/catalogue/custom-filters.ts";
import { applicantTypes, type Detail, details, type Reading } from "../../shared/catalogue/details.ts";
import { filters, presentation } from "../../shared/catalogue/filters.ts";
import { facetNames, filterParameters } from "../../shared/catalogue/parameters.ts";
import type { Filter } from "../../shared/catalogue/rules.ts";
import { twinOf } from "../../shared/catalogue/twins.ts";
import { opportunityDetails } from "../../shared/responses/details.ts";
import { isRepeated, maximumValues } from "../../shared/validation/fields.ts";
import { funderList } from "../../shared/validation/funders.ts";
import { grantList } from "../../shared/validation/opportunities.ts";
import { detailFields, type Field } from "./fields.ts";
import { sourceDetails } from "./source-details.ts";

interface JsonSchema {
  type?: string;
  format?: string;
  pattern?: string;
  enum?: string[];
  minimum?: number;
  maximum?: number;
  anyOf?: JsonSchema[];
  items?: JsonSchema;
  default?: unknown;
  description?: string;
}

const code = (text: unknown) => `\`${text}\``;
const codes = (names: readonly string[]) => names.map(code).join(", ");

/** Values that a parameter takes. */
function valuesOf({ type, format, enum: values, minimum, maximum, anyOf, items }: JsonSchema): string {
  const [single] = anyOf ?? [];
  // One or several.
  if (single?.enum !== undefined) return codes(single.enum.filter((value) => !value.startsWith("-")));
  if (anyOf?.some(({ pattern = "" }) => pattern.includes("today")) === true)
    return "`YYYY-MM-DD`, `today`, `today+14d`";
  if (anyOf?.some((one) => one.format === "date") === true) return "day or RFC 3339 date-time";
  // Kinds of applicants are too many for a cell.
  if (type === "array" && items !== undefined)
    return items.enum === undefined || items.enum.length <= 8 ? valuesOf(items) : "values";
  if (values !== undefined) return values.map(code).join(", ");
  if (format === "date") return "`YYYY-MM-DD`";
  if (format === "uuid" || format === "guid") return "UUID";
  if (type === "integer" && minimum !== undefined)
    return `integer from ${minimum}${maximum !== undefined && maximum <= 100 ? ` to ${maximum}` : ""}`;
  return type === "boolean" || type === "integer" ? type : "text";
}

function filterRow(name: string, schema: z.ZodType, note: string): string {
  const json = requestSchema(schema) as JsonSchema;
  const byDefault = json.default === undefined ? "" : `; default ${code(json.default)}`;
  const separated = json.type !== "array" ? "" : isRepeated(schema) ? "; repeat it for several" : ", comma-separated";
  return `| ${code(name)} | ${valuesOf(json)}${separated}${byDefault} | ${note}${json.description ?? ""} |`;
}

/** Filters that exclude values, and those whose values they are. */
const excluded = Object.entries<Filter>(filters).flatMap(([name, { several }]) => (several === true ? [name] : []));
const twins = excluded.map(twinOf);

/** Filters that other pages explain. */
const explained = ["search", "search_mode", "similar_to"];

function filterTable(): string {
  const { grants, contracts } = { grants: filterParameters("grants"), contracts: filterParameters("contracts") };
  const rows = Object.keys(filters).flatMap((name) => {
    // A sentence tells of the twins.
    if (explained.includes(name) || !(name in contracts) || twins.includes(name)) return [];
    const own = (contracts as Record<string, z.ZodType>)[name];
    const shared = (grants as Record<string, z.ZodType>)[name];
    return own === undefined ? [] : [filterRow(name, shared ?? own, shared === undefined ? "Contracts only. " : "")];
  });
  return ["| parameter | values | finds |", "|---|---|---|", ...rows].join("\n");
}

/** Pages and headings that tell more of a parameter of order, pages and format. */
const more: Readonly<Record<string, string>> = {
  cursor: " See [Paging](paging.md).",
  facets: " See [Facets](#facets).",
  archived_as_ids: " See [the feed](paging.md#the-feed-of-changes).",
  expand: " See [details](api.md#details).",
  format: " See [CSV](csv.md).",
};

function presentationTable(): string {
  const shape = grantList.schema.def.in.shape as Record<string, z.ZodType>;
  const rows = presentation.flatMap((name) => {
    const schema = shape[name];
    if (schema === undefined || explained.includes(name)) return [];
    const row = filterRow(name, schema, "");
    return [row.replace(/ \|$/, `${more[name] ?? ""} |`)];
  });
  return ["| parameter | values | |", "|---|---|---|", ...rows].join("\n");
}

function facetSentence(): string {
  const [shared, ofContracts] = [facetNames("grants"), facetNames("contracts")];
  const others = ofContracts.filter((name) => !shared.includes(name));
  return `Fields: ${codes(shared)}; of contracts also ${codes(others)}.`;
}

function twinSentence(): string {
  return `${codes(excluded)} take up to ${maximumValues} values, any of which a record may have. Each has a twin, ${code(twinOf("category"))} and so on, that leaves out records with any of its values; a record without a value stays.`;
}

function funderSentences(): string {
  const schema = requestSchema(funderList.schema.def.in.shape.sort_by) as JsonSchema;
  return `${codes(funderList.names)}, as above. \`sort_by\` is ${valuesOf(schema)}; by default ${code(schema.default)}.`;
}

const detailsSchema = z.toJSONSchema(opportunityDetails, { io: "output" }) as {
  properties: Record<string, JsonSchema>;
};

function detailRow({ name, kind, members }: Field): string {
  const { description, anyOf = [] } = detailsSchema.properties[name] ?? {};
  const shape = members.length === 0 ? "" : `${code(`{ ${members.join(", ")} }`)}`;
  const what = [kind === "list" ? "array" : "", shape].filter((part) => part !== "").join(" of ");
  return `- ${code(name)}: ${what === "" ? "" : `${what}. `}${description ?? anyOf[0]?.description ?? ""}`;
}

/** How an import reads each kind of value. */
const readings: Record<Reading, string> = {
  number: "",
  line: "",
  paragraphs: "",
  email: "",
  phone: "",
  count: "a number; 0 is none",
  dollars: "a number; 0 is none",
  signedDollars: "a number, which may be negative; 0 is none",
  yesNo: "true or false",
  agencyPath: "names of organizations, the widest first",
  applicantTypes: "list of CommonGrants' values, Grants.gov's codes, or words; else `custom`",
  assistanceListings: 'numbers, with titles or without: "CFDA 10.557 and 10.558". Dropped zeros are restored',
  fundingInstruments: "list of Grants.gov's codes or words; else `other`",
  costSharing: 'true, false, "No match is required", "25%"; nothing where a text says both',
  psc: "a code, which may stand before its name",
  place: '"Norfolk, VA 23511", or an object of JSON',
  recipient: "a name, or an object of JSON",
  startDay: "a date; a month is its first day",
  documents: "web addresses, or objects of JSON",
  momentOfDeadline: "moment with its offset; by default from `deadline_date`",
};

function importedDetail([name, { reads, columns = [] }]: [string, Detail]): string {
  const read =
    typeof reads === "string"
      ? readings[reads]
      : `an object with ${codes(Object.keys(reads))}, or a text that is one of them`;
  const others = columns.length === 0 ? "" : ` (also ${codes(columns)})`;
  return `- ${code(name)}${read === "" ? "" : `: ${read}`}${others}`;
}

function customFilterRows(): string {
  const rows = Object.entries(customFilters).flatMap(([name, operators]) => {
    const entries = Object.entries(operators);
    return [...new Set(Object.values(operators))].map((parameter) => {
      const of = entries.flatMap(([operator, name]) => (name === parameter ? [operator] : []));
      return `| ${code(name)} | ${codes(of)} | ${code(parameter)} |`;
    });
  });
  return [
    "| custom filter | operators | [parameter of the list](filters.md#parameters-of-grants-and-contracts) |",
    "|---|---|---|",
    ...rows,
  ].join("\n");
}

function placesInCommonGrants(): string {
  const places = Object.entries<Detail>(details).flatMap(([name, { commonGrants }]) =>
    commonGrants === null
      ? []
      : [{ path: commonGrants.replace(/^customFields\./, ""), name, isOurs: commonGrants.startsWith("customFields.") }],
  );
  const said = (ours: boolean) =>
    places.flatMap(({ path, name, isOurs }) =>
      isOurs === ours ? [path === name ? code(name) : `${code(path)} (${code(name)})`] : [],
    );
  return `- ${said(false).join(", ")}\n- in \`customFields\`: ${said(true).join(", ")}`;
}

/** Sections by page and name. Each stands between `<!-- NAME: written by npm run schema -->` and `<!-- end -->`. */
const sections: Readonly<Record<string, Readonly<Record<string, (root: string) => string | Promise<string>>>>> = {
  "docs/filters.md": {
    filters: filterTable,
    presentation: presentationTable,
    several: twinSentence,
    facets: facetSentence,
    funders: funderSentences,
  },
  "docs/api.md": {
    details: () => detailFields.grants.map(detailRow).join("\n"),
    "applicant types": () => `${codes(applicantTypes)}.`,
  },
  "docs/importing.md": { details: () => Object.entries<Detail>(details).map(importedDetail).join("\n") },
  "docs/sources.md": { details: sourceDetails },
  "docs/common-grants.md": { details: placesInCommonGrants, filters: customFilterRows },
};

/** Texts of the pages, by path. @throws when a page has no place for its section. */
export async function renderDocs(root: string): Promise<Record<string, string>> {
  const pages: Record<string, string> = {};
  for (const [path, rendered] of Object.entries(sections)) {
    let text = readFileSync(`${root}${path}`, "utf8");
    for (const [name, render] of Object.entries(rendered)) {
      const place = new RegExp(`(?<=<!-- ${name}: written by npm run schema -->\\n)[^]*?(?=<!-- end -->)`);
      if (!place.test(text)) throw new Error(`${path} has no place for ${name}`);
      const section = await render(root);
      text = text.replace(place, () => `\n${section}\n\n`);
    }
    pages[path] = text;
  }
  return pages;
}
