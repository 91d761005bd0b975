/**
 * Writes the types and lists of the Python client, packages/python/src/funding_opportunities/schema.py, from the OpenAPI document.
 *
 * usage: node local/deno.mjs scripts/python-types.ts [--check]
 *
 * With --check it writes nothing, and fails when the file is not what it would write.
 */

import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import openapi from "../functions/openapi/openapi.json" with { type: "json" };
import { printError } from "../local/print.ts";

interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: (string | number)[];
  const?: string;
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  required?: string[];
  description?: string;
  format?: string;
  default?: unknown;
}

interface Parameter {
  name?: string;
  description?: string;
  schema?: Schema;
}

const target = fileURLToPath(new URL("../packages/python/src/funding_opportunities/schema.py", import.meta.url));
const schemas = openapi.components.schemas as unknown as Record<string, Schema>;

const pythonKeywords = new Set(["from", "class", "import", "global", "in", "is", "not", "or", "and", "pass", "type"]);
/** Longest line of the file. */
const lineWidth = 120;

/** Classes that were written, by name, in the order in which they are needed. */
const classes = new Map<string, string>();

/** The Python type of a schema. `name` is that of its class, if it needs one. */
function typeOf(schema: Schema, name: string): string {
  if (schema.$ref !== undefined) return named(schema.$ref.split("/").at(-1) ?? "");
  if (schema.const !== undefined) return `Literal[${JSON.stringify(schema.const)}]`;
  if (schema.enum !== undefined) return `Literal[${schema.enum.map((value) => JSON.stringify(value)).join(", ")}]`;
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) {
    const types = [...new Set(choices.map((choice) => typeOf(choice, name)))];
    return types.length === 1 ? (types[0] ?? "Any") : `Union[${types.join(", ")}]`;
  }
  const types = [schema.type ?? []].flat().map((type) => {
    switch (type) {
      case "string":
        return "str";
      case "integer":
        return "int";
      case "number":
        return "float";
      case "boolean":
        return "bool";
      case "null":
        return "None";
      case "array":
        return `List[${typeOf(schema.items ?? {}, name.replace(/s$/, ""))}]`;
      default:
        return objectOf(schema, name);
    }
  });
  if (types.length === 0) return "Any";
  return types.length === 1 ? (types[0] ?? "Any") : `Union[${types.join(", ")}]`;
}

function objectOf(schema: Schema, name: string): string {
  if (schema.properties !== undefined) {
    writeClass(name, schema);
    return name;
  }
  return typeof schema.additionalProperties === "object"
    ? `Dict[str, ${typeOf(schema.additionalProperties, name.replace(/s$/, ""))}]`
    : "Dict[str, Any]";
}

/** A schema of the document by its name. */
function named(name: string): string {
  const schema = schemas[name];
  if (schema === undefined) throw new Error(`the document has no schema ${name}`);
  if (!classes.has(name)) writeClass(name, schema);
  return name;
}

function writeClass(name: string, { properties = {}, required = [], description }: Schema): void {
  if (classes.has(name)) return;
  classes.set(name, "");
  const fields = Object.entries(properties).map(([field, schema]) => {
    const type = typeOf(schema, `${name}${capitalized(field)}`);
    return { field, type: required.includes(field) ? type : `NotRequired[${type}]`, text: schema.description };
  });
  classes.delete(name);
  const isClass = fields.every(({ field }) => !pythonKeywords.has(field) || field === "type");
  classes.set(
    name,
    isClass
      ? [
          `class ${name}(TypedDict):`,
          ...docstring(description ?? "", 4),
          ...fields.flatMap(({ field, type, text }) => [
            ...(text === undefined ? [] : comment(text, 4)),
            `    ${field}: ${type}`,
          ]),
        ].join("\n")
      : `${name} = TypedDict("${name}", {${fields.map(({ field, type }) => `"${field}": ${type}`).join(", ")}})`,
  );
}

function capitalized(field: string): string {
  return field.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Text in lines of the file's width. */
function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length + 1 > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

const comment = (text: string, indent: number) =>
  wrap(text, lineWidth - indent - 2).map((line) => `${" ".repeat(indent)}# ${line}`);

function docstring(text: string, indent: number): string[] {
  const space = " ".repeat(indent);
  const escaped = text.replaceAll("\\", "\\\\").replace(/"$/, '" ');
  const lines = wrap(escaped, lineWidth - indent - 6);
  if (lines.length === 1) return [`${space}"""${lines[0]}"""`];
  return [`${space}"""`, ...lines.map((line) => `${space}${line}`), `${space}"""`];
}

/** Parameters that the client sets itself. */
const ownParameters = ["count_only", "format", "cursor"];

/** The Python type of a parameter: what may be given, and not what comes. */
function parameterType(schema: Schema): string {
  if (schema.type === "array") return `Union[str, Sequence[${typeOf(schema.items ?? {}, "")}]]`;
  const formats = [schema, ...(schema.anyOf ?? [])].map(({ format }) => format);
  if (formats.includes("date-time")) return "Union[str, date, datetime]";
  if (formats.includes("date")) return "Union[str, date]";
  return typeOf(schema, "");
}

function collectionClass(path: string, record: string, name: string): string {
  const operation = (openapi.paths as unknown as Record<string, { get: { parameters: Parameter[]; summary: string } }>)[
    path
  ];
  if (operation === undefined) throw new Error(`the document has no path ${path}`);
  const parameters = operation.get.parameters
    .filter((parameter): parameter is Required<Parameter> => parameter.name !== undefined)
    .filter(({ name }) => !ownParameters.includes(name));
  const described = parameters.flatMap(({ name, description, schema }) => {
    const standard = schema.default === undefined ? "" : ` Default: ${JSON.stringify(schema.default)}.`;
    const [first = "", ...rest] = wrap(`${name}: ${description}${standard}`.replaceAll("\\", "\\\\"), lineWidth - 16);
    return [`            ${first}`, ...rest.map((line) => `                ${line}`)];
  });
  return [
    `class ${name}(Collection[${record}]):`,
    `    """${operation.get.summary}"""`,
    "",
    `    _path = "${path.slice(1)}"`,
    `    _columns = tuple(${record}.__annotations__)`,
    "",
    "    def list(",
    "        self,",
    "        *,",
    ...parameters.map(({ name, schema }) => `        ${name}: Optional[${parameterType(schema)}] = None,`),
    `    ) -> "Listing[${record}]":`,
    '        """',
    "        Makes a list, which asks the API when it is iterated or counted.",
    "",
    "        Args:",
    ...described,
    '        """',
    "        return self._listing(",
    "            {",
    ...parameters.map(({ name }) => `                "${name}": ${name},`),
    "            }",
    "        )",
  ].join("\n");
}

const roots = ["Grant", "Contract", "Funder", "Pagination", "ListMeta", "GrantList", "RecordChanges"];
for (const root of [
  ...roots,
  "AwardsAnswer",
  "DocumentAnswer",
  "FunderStatistics",
  "SemanticSearchAnswer",
  "SuggestionsAnswer",
  "MultiSearchAnswer",
  "ProblemDocument",
])
  named(root);
const events = Object.keys(schemas).filter(
  (name) => name.endsWith("Event") && /Created|Updated|Approaching|Changed/.test(name),
);
for (const event of events) named(event);

const text = `# Written by scripts/python-types.ts from the OpenAPI document: do not edit.
"""Types of the API's answers and parameters, and its lists."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any, Dict, List, Literal, NotRequired, Optional, Sequence, TypedDict, Union

from .lists import Collection, Listing

${[...classes.values()].join("\n\n\n")}


WebhookEvent = Union[${events.join(", ")}]
FoundOpportunity = Union[FoundGrant, FoundContract]


${[
  collectionClass("/grants-api", "Grant", "Grants"),
  collectionClass("/contracts-api", "Contract", "Contracts"),
  collectionClass("/funders-api", "Funder", "Funders"),
].join("\n\n\n")}
`;

if (process.argv.includes("--check")) {
  if ((await readFile(target, "utf8").catch(() => "")) !== text) {
    printError("packages/python/src/funding_opportunities/schema.py is not of this document: run npm run openapi");
    process.exitCode = 1;
  }
} else {
  await writeFile(target, text);
}
