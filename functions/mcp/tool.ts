import * as z from "zod";
import { type Dataset, datasets } from "../../shared/datasets.ts";
import { type FieldError, fail, invalidParameters, type Outcome, succeed } from "../../shared/http/problems.ts";
import { fieldErrors } from "../../shared/validation/errors.ts";
import { oneOf } from "../../shared/validation/fields.ts";
import { type InputSchema, inputSchemaOf } from "./input-schema.ts";
import { type Operation, operationOf } from "./operation.ts";
import { type OutputSchema, outputSchemaOf } from "./output-schema.ts";

export type Arguments = Record<string, unknown>;

/** A tool: its description for the model, and how a call becomes a request to the API. */
export interface Tool {
  name: string;
  title: string;
  description: string;
  input: InputSchema;
  output: OutputSchema;
  /** Whether results have their long texts whole, not their beginnings. */
  hasWholeTexts: boolean;
  /** Makes the API request of a call, or the problem where the API would not find it. */
  request(given: Arguments): Outcome<ToolRequest>;
}

/** A request to the API: the path after `/functions/v1`, and the body of a POST. */
export interface ToolRequest {
  path: string;
  body?: object;
}

/** A tool in terms of the API's operation, which has its arguments and its answers. */
export interface Declaration {
  name: string;
  title: string;
  description: string;
  method?: "get" | "post";
  /** The operation's path. `{type}` stands for a dataset: the tool has that argument, and the operations of all `types`. */
  path: string;
  /** Datasets of which it has the operations; all by default. */
  types?: readonly [Dataset, ...Dataset[]];
  /** Arguments that the tool has, beside those of the path; all by default. */
  only?: readonly string[];
  /** Arguments that must be given, beside those of the path and those that the operation requires. */
  required?: readonly ("ids" | "search")[];
  /** Arguments that the tool lacks, and what a model that gives one is told. */
  refusals?: Readonly<Record<string, string>>;
  /** Arguments that the tool adds to those of a call. */
  added?(given: Arguments): Arguments;
  hasWholeTexts?: boolean;
}

/** Begins what a model is told that gives an argument of the operation which the tool lacks. */
export const notOfTool = "is not a parameter of this tool";

/** Checks of arguments without which the API would not be asked, or asked something else. */
const checks = {
  id: z.guid({ error: "must be a UUID" }),
  ids: z.union([z.string(), z.array(z.unknown())], { error: "must be UUIDs" }),
  search: z.string({ error: "must be text" }),
};
type Checked = "type" | keyof typeof checks;

/** Makes the tool of a declaration: its schemas are the operation's in the OpenAPI document. */
export function toolOf(declaration: Declaration): Tool {
  const { name, title, description, path, method = "get", only, required = [], refusals = {} } = declaration;
  const { types = datasets } = declaration;
  const ofPath = variablesOf(path);
  const isGeneric = ofPath.includes("type");
  const operations = (isGeneric ? types : [""]).map((type) => operationOf(method, path.replace("{type}", type)));
  const isOffered = (argument: string) =>
    ofPath.some((one) => one === argument) || (only?.includes(argument) ?? !Object.hasOwn(refusals, argument));
  const offered = inputSchemaOf(operations, isOffered);
  return {
    name,
    title,
    description,
    input: {
      type: "object",
      properties: {
        ...(isGeneric ? { type: { type: "string", enum: types, description: "What the records are." } } : {}),
        ...offered.properties,
      },
      required: [...(isGeneric ? ["type"] : []), ...offered.required, ...required],
    },
    output: outputSchemaOf(distinctAnswers(operations)),
    hasWholeTexts: declaration.hasWholeTexts ?? false,
    request: requestMaker(declaration, lackedArguments(operations, isOffered)),
  };
}

function variablesOf(path: string): Checked[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, variable]) => variable as Checked);
}

function distinctAnswers(operations: readonly Operation[]) {
  const answers = operations.flatMap((operation) => operation.answers);
  return [...new Map(answers.map((answer) => [JSON.stringify(answer), answer])).values()];
}

/** Arguments that operations have, and their tool has not. */
function lackedArguments(
  operations: readonly Operation[],
  isOffered: (argument: string) => boolean,
): ReadonlySet<string> {
  const names = operations.flatMap((operation) => operation.arguments.map((argument) => argument.name));
  return new Set(names.filter((argument) => !isOffered(argument)));
}

function requestMaker(declaration: Declaration, lacked: ReadonlySet<string>): Tool["request"] {
  const { path, types = datasets, method = "get", required = [], refusals = {}, added } = declaration;
  const ofPath = variablesOf(path);
  const all = { type: oneOf(types), ...checks };
  const check = z.object(Object.fromEntries([...ofPath, ...required].map((name) => [name, all[name]])));
  return (given) => {
    const refused = Object.keys(given)
      .filter((name) => lacked.has(name))
      .map((name): FieldError => ({ parameter: name, message: refusals[name] ?? notOfTool }));
    if (refused.length > 0) return fail(invalidParameters(refused));
    const read = check.safeParse(given);
    if (!read.success) return fail(invalidParameters(fieldErrors(read.error, given)));
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, variable: string) => String(read.data[variable]));
    const rest = Object.entries({ ...added?.(given), ...given }).filter(
      ([name]) => !ofPath.some((one) => one === name),
    );
    if (method === "post") return succeed({ path: filled, body: Object.fromEntries(rest) });
    return succeed({ path: `${filled}${queryText(rest)}` });
  };
}

/** Writes arguments as a query string. A list's values repeat its name: names may have commas. */
function queryText(given: readonly [string, unknown][]): string {
  const pairs = given.flatMap(([name, value]) => [value].flat().map((one) => [name, String(one)]));
  return pairs.length === 0 ? "" : `?${new URLSearchParams(pairs)}`;
}
