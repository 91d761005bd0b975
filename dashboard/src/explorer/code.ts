import {
  curlCommand,
  literal,
  pythonArguments,
  pythonCall,
  pythonLiteral,
  typescriptCall,
} from "../components/code-literals.ts";
import { type Parameter, valuesOf } from "./parameters.ts";
import { type ExplorerForm, givenParameters, recordIdOf, requestFor } from "./request.ts";

export type Language = "curl" | "typescript" | "python";

export const languages: readonly { value: Language; name: string }[] = [
  { value: "curl", name: "curl" },
  { value: "typescript", name: "TypeScript" },
  { value: "python", name: "Python" },
];

/** The form's request as code in a language. The key is in an environment variable. */
export function codeFor(form: ExplorerForm, baseUrl: string, language: Language): string {
  switch (language) {
    case "curl":
      return curlCommand(requestFor(form, baseUrl), "FUNDING_API_KEY");
    case "typescript":
      return typescriptCall(baseUrl, inTypeScript(form));
    case "python":
      return pythonCall(baseUrl, inPython(form));
  }
}

/** A call of the client in packages/client. */
function inTypeScript(form: ExplorerForm): string {
  const given = argumentsOf(form);
  if (form.dataset === "semantic") {
    return `const { results } = await client.semanticSearch(${literal(given)});\nconsole.log(results);`;
  }
  const { count_only, fields, ...query } = given;
  const collection = `client.${form.dataset}${fields === undefined ? "" : `.withFields(${JSON.stringify(fields)})`}`;
  const id = recordIdOf(form);
  if (id !== undefined) {
    const options = Object.keys(query).length === 0 ? "" : `, ${literal(query)}`;
    return `console.log(await ${collection}.get(${JSON.stringify(id)}${options}));`;
  }
  if (count_only === true)
    return `console.log(await client.${form.dataset}.count(${literal(without(query, ofPage))}));`;
  const members = ["results", "pagination", ...("facets" in query ? ["facets"] : [])];
  return `const { ${members.join(", ")} } = await ${collection}.list(${literal(query)});
console.log(pagination.total, results${"facets" in query ? ", facets" : ""});`;
}

/** A call of the client in packages/python. */
function inPython(form: ExplorerForm): string {
  const given = argumentsOf(form);
  if (form.dataset === "semantic") {
    const { query, ...options } = given;
    const words = [query === undefined ? "" : pythonLiteral(query), pythonArguments(options)].filter(Boolean);
    return `answer = client.semantic_search(${words.join(", ")})\nprint(answer["results"])`;
  }
  const id = recordIdOf(form);
  if (id !== undefined) {
    const { expand, ...others } = given;
    const options = pythonArguments({ ...(expand === undefined ? {} : { details: true }), ...others });
    return `print(client.${form.dataset}.get(${[JSON.stringify(id), options].filter(Boolean).join(", ")}))`;
  }
  const { count_only, cursor, ...query } = given;
  const list = `client.${form.dataset}.list(${wrapped(without(query, count_only === true ? ofPage : []))})`;
  if (count_only === true) return `print(${list}.count())`;
  const facets = "facets" in query ? ', page["facets"]' : "";
  const position = cursor === undefined ? "" : pythonLiteral(cursor);
  return `page = ${list}.page(${position})\nprint(page["pagination"]["total"], page["results"]${facets})`;
}

/** Parameters that a count does not take. */
const ofPage = ["limit", "offset", "cursor"];

function without(given: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(given).filter(([name]) => !names.includes(name)));
}

/** Named arguments, each on a line of its own where they would be a long one. */
function wrapped(given: Record<string, unknown>): string {
  const short = pythonArguments(given);
  if (short.length <= 60) return short;
  const lines = Object.entries(given).map(([name, value]) => `    ${pythonArguments({ [name]: value })},\n`);
  return `\n${lines.join("")}`;
}

/** The parameters with the types that the clients' calls have. */
function argumentsOf(form: ExplorerForm): Record<string, unknown> {
  return Object.fromEntries(
    givenParameters(form).map(({ parameter, value }) => [parameter.name, typed(parameter, value)]),
  );
}

function typed(parameter: Parameter, value: string): unknown {
  const { kind, type } = parameter;
  if (type === "names") return valuesOf(parameter, value);
  if (kind === "set" || type === "list") return value.split(",").map((each) => each.trim());
  if (kind === "check" || type === "boolean") return value === "true";
  // A value that is not a number is refused by the API, and shown as it is.
  if (kind === "number") return Number.isFinite(Number(value)) ? Number(value) : value;
  return value;
}
