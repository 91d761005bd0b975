/** Fields of records and of details, read from the schemas that declare them: shared/responses/records.ts and details.ts. */
import * as z from "zod";
import type { Dataset } from "../../shared/datasets.ts";
import { checkNames, funderDetails, opportunityDetails } from "../../shared/responses/details.ts";
import { contract, funder, grant } from "../../shared/responses/records.ts";

export const fieldNamesPath = "shared/catalogue/fields.generated.ts";

export interface Field {
  name: string;
  /** How the API writes it. `flag` is false where a source does not say. */
  kind: "day" | "moment" | "list" | "flag" | "object" | "number" | "integer" | "boolean" | "text";
  /** Members of an object, or of the objects in a list. */
  members: string[];
}

/** Value of a field that a source does not give. */
export const absentValue = ({ kind }: Field) => (kind === "list" ? "[]" : kind === "flag" ? "false" : "null");

/** Members of a record that an answer adds when they are asked for. */
const added = ["relevance_score", "explanation", "highlights", "passages", "details"];

interface JsonSchema {
  items?: JsonSchema;
  type?: string;
  format?: string;
  anyOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
}

/** Schema of a value that is there. */
const presentOf = (schema: JsonSchema) => schema.anyOf?.find(({ type }) => type !== "null") ?? schema;

function kindOf(schema: JsonSchema): Field["kind"] {
  const present = presentOf(schema);
  switch (present.type) {
    case "array":
      return "list";
    case "boolean":
      return schema.anyOf === undefined ? "flag" : "boolean";
    case "object":
    case "number":
    case "integer":
      return present.type;
    default:
      return present.format === "date" ? "day" : present.format === "date-time" ? "moment" : "text";
  }
}

/** Members of an object, or of the objects in a list. */
function membersOf(schema: JsonSchema): string[] {
  const present = presentOf(schema);
  return Object.keys((present.items ?? present).properties ?? {});
}

function fieldsOf(schema: z.ZodType): Field[] {
  const { properties = {} } = z.toJSONSchema(schema, { io: "output" }) as JsonSchema;
  return Object.entries(properties)
    .filter(([name]) => !added.includes(name))
    .map(([name, property]) => ({ name, kind: kindOf(property), members: membersOf(property) }));
}

/** A record's own fields, by dataset, in the order of the columns in CSV. */
export const recordFields: Record<Dataset, Field[]> = {
  grants: fieldsOf(grant),
  contracts: fieldsOf(contract),
  funders: fieldsOf(funder),
};

const isCheck = ({ name }: Field) => checkNames.grants.includes(name);

/** Fields that `expand=details` adds. */
export const detailFields: Record<Dataset, Field[]> = {
  grants: fieldsOf(opportunityDetails).filter((field) => !isCheck(field)),
  contracts: fieldsOf(opportunityDetails).filter((field) => !isCheck(field)),
  funders: fieldsOf(funderDetails).filter((field) => !isCheck(field)),
};

/** Details that no source gives. */
export const ofEveryRecord = ["same_as", "source", "updated_at"];

/** Columns of records whose changes the API tells, but which it does not show. */
const hidden = ["archived_at"];
/** Fields that follow from others, or are no content of a record. */
const unchanging = ["id", "funder_name", ...ofEveryRecord];

const names = (fields: readonly Field[]) => fields.map(({ name }) => name);

/** Fields whose changes are noted: those of records, then those of details. */
export const changeableFields = [
  ...new Set([...Object.values(recordFields).flatMap(names), ...hidden, ...names(detailFields.grants)]),
].filter((name) => !unchanging.includes(name));

/** An array, as the formatter would write it after what comes `before` in its line. */
function list(items: readonly string[], before: string): string {
  const line = `[${items.map((item) => `"${item}"`).join(", ")}]`;
  return before.length + line.length < 120 ? line : `[\n${items.map((item) => `  "${item}",\n`).join("")}]`;
}

/** Text of shared/catalogue/fields.generated.ts: names alone, so that no function loads the answers' schemas for them. */
export function renderFieldNames(): string {
  const byDataset = (fields: Readonly<Record<Dataset, readonly string[]>>) =>
    Object.entries(fields)
      .map(([dataset, of]) => `  ${dataset}: ${list(of, `  ${dataset}: `).replaceAll("\n", "\n  ")},\n`)
      .join("");
  const namesOf = ({ grants, contracts, funders }: Record<Dataset, Field[]>) => ({
    grants: names(grants),
    contracts: names(contracts),
    funders: names(funders),
  });
  return `// Written by npm run schema from shared/responses/records.ts and details.ts.

/** A record's own fields, by dataset, in the order of the columns in CSV. */
export const recordFields = {
${byDataset(namesOf(recordFields))}} as const;

/** Fields that \`expand=details\` adds. */
export const detailFields = {
${byDataset(namesOf(detailFields))}} as const;

/** Details that \`fields\` alone adds. */
export const checkFields = {
${byDataset(checkNames)}} as const;

/** Members of fields that are objects or lists of objects, in the order in which text tells them. */
export const membersOf: Readonly<Record<string, readonly string[]>> = {
${[...recordFields.grants, ...recordFields.contracts, ...detailFields.grants]
  .filter(({ members }) => members.length > 0)
  .map(({ name, members }) => `  ${name}: ${list(members, `  ${name}: `)},\n`)
  .join("")}};

/** Details of a grant or contract whose source gives none. */
export const noDetails = {
${detailFields.grants
  .filter(({ name }) => !ofEveryRecord.includes(name))
  .map((field) => `  ${field.name}: ${absentValue(field)},\n`)
  .join("")}};

/** Fields whose changes are noted: those of records, then those of details. */
export const changeableFields = ${list(changeableFields, "export const changeableFields = ")} as const;
`;
}
