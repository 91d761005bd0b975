/** The tables of filters and details in the documentation, from their declarations. */
import { readFileSync } from "node:fs";
import * as z from "zod";
import { requestSchema } from "../../openapi/json-schema.ts";
import { filters } from "../../shared/catalogue/filters.ts";
import { filterParameters } from "../../shared/catalogue/parameters.ts";
import { opportunityDetails } from "../../shared/responses/details.ts";
import { detailFields, type Field } from "./fields.ts";

interface JsonSchema {
  type?: string;
  format?: string;
  enum?: string[];
  minimum?: number;
  anyOf?: JsonSchema[];
  items?: JsonSchema;
  default?: unknown;
  description?: string;
}

const code = (text: unknown) => `\`${text}\``;

/** Values that a parameter takes. */
function valuesOf({ type, format, enum: values, minimum, anyOf, items }: JsonSchema): string {
  if (anyOf?.some((one) => one.format === "date") === true) return "day or RFC 3339 date-time";
  // Kinds of applicants are too many for a cell.
  if (type === "array")
    return `${items?.enum === undefined || items.enum.length > 8 ? "values" : items.enum.map(code).join(", ")}, comma-separated`;
  if (values !== undefined) return values.map(code).join(", ");
  if (format === "date") return "`YYYY-MM-DD`";
  if (format === "uuid" || format === "guid") return "UUID";
  if (type === "integer") return minimum === undefined ? "integer" : `integer from ${minimum}`;
  return type === "boolean" ? "boolean" : "text";
}

function filterRow(name: string, schema: z.ZodType, note: string): string {
  const json = requestSchema(schema) as JsonSchema;
  const byDefault = json.default === undefined ? "" : `; default ${code(json.default)}`;
  return `| ${code(name)} | ${valuesOf(json)}${byDefault} | ${note}${json.description ?? ""} |`;
}

/** Filters that other pages explain. */
const explained = ["search", "search_mode", "similar_to"];

function filterTable(): string {
  const { grants, contracts } = { grants: filterParameters("grants"), contracts: filterParameters("contracts") };
  const rows = Object.keys(filters).flatMap((name) => {
    if (explained.includes(name) || !(name in contracts)) return [];
    const own = (contracts as Record<string, z.ZodType>)[name];
    const shared = (grants as Record<string, z.ZodType>)[name];
    return own === undefined ? [] : [filterRow(name, shared ?? own, shared === undefined ? "Contracts only. " : "")];
  });
  return ["| parameter | values | finds |", "|---|---|---|", ...rows].join("\n");
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

/** Sections by page and name. Each stands between `<!-- NAME: written by npm run schema -->` and `<!-- end -->`. */
const sections: Readonly<Record<string, Readonly<Record<string, () => string>>>> = {
  "docs/filters.md": { filters: filterTable },
  "docs/api.md": { details: () => detailFields.grants.map(detailRow).join("\n") },
};

/** Texts of the pages, by path. @throws when a page has no place for its section. */
export function renderDocs(root: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(sections).map(([path, rendered]) => {
      let text = readFileSync(`${root}${path}`, "utf8");
      for (const [name, render] of Object.entries(rendered)) {
        const place = new RegExp(`(?<=<!-- ${name}: written by npm run schema -->\\n)[^]*?(?=<!-- end -->)`);
        if (!place.test(text)) throw new Error(`${path} has no place for ${name}`);
        text = text.replace(place, () => `\n${render()}\n\n`);
      }
      return [path, text];
    }),
  );
}
