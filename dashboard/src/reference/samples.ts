import {
  curlCommand,
  type HttpRequest,
  literal,
  pythonArguments as named,
  pythonLiteral as python,
  pythonCall as pythonClient,
  typescriptCall,
} from "../components/code-literals.ts";
import { exampleOf, requestExampleOf } from "./example.ts";
import type { Operation } from "./operations.ts";

export const languages = [
  { value: "curl", name: "curl" },
  { value: "typescript", name: "TypeScript" },
  { value: "python", name: "Python" },
] as const;
export type Language = (typeof languages)[number]["value"];

/** Parameters that a sample gives though it need not, where the operation has them. */
const shown = ["search", "limit"];
const values: Record<string, unknown> = { limit: 5 };

/** A request as an example. */
export interface SampleRequest {
  path: Record<string, string>;
  query: Record<string, string | number>;
  body: unknown;
}

/** Code that sends an operation's request, in each language. The key is in an environment variable. */
export function samplesOf(operation: Operation, baseUrl: string): Record<Language, string> {
  const request = sampleRequest(operation);
  const url =
    baseUrl + operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(request.path[name] ?? ""));
  const query = new URLSearchParams(
    Object.entries(request.query).map(([name, value]) => [name, String(value)]),
  ).toString();
  const address = query === "" ? url : `${url}?${query}`;
  return {
    curl: curlCommand(
      {
        method: operation.method as HttpRequest["method"],
        url: address,
        ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
      },
      tokenVariable(operation),
    ),
    typescript: clientCall(operation, request, baseUrl) ?? fetchCall(operation, request, address),
    python: pythonCall(operation, request, baseUrl) ?? httpxCall(operation, request, url),
  };
}

/** The operation's request with what it requires, and what shows best what it does. */
export function sampleRequest({ parameters, body }: Operation): SampleRequest {
  const given = (place: string) =>
    Object.fromEntries(
      parameters
        .filter((parameter) => parameter.in === place && (parameter.required || shown.includes(parameter.name)))
        .map(({ name, schema }) => [name, values[name] ?? exampleOf(schema)]),
    );
  return {
    path: given("path") as SampleRequest["path"],
    query: given("query") as SampleRequest["query"],
    body: body && requestExampleOf(body.media),
  };
}

/** Environment variable with the token, as docs/api.md and docs/accounts.md name it. */
export function tokenVariable({ security }: Operation): string | undefined {
  if (security === undefined) return undefined;
  return security === "signIn" ? "ACCESS_TOKEN" : "FUNDING_API_KEY";
}

/** A call of the TypeScript client; undefined for operations that it leaves to `fetch`. */
function clientCall({ id }: Operation, { path, query, body }: SampleRequest, baseUrl: string): string | undefined {
  const record = JSON.stringify(path.id);
  const calls: Record<string, string> = {
    ...Object.fromEntries(
      ["grants", "contracts", "funders"].flatMap((dataset) => {
        const name = singular(dataset);
        return [
          [
            `list${capital(dataset)}`,
            `const { results, pagination } = await client.${dataset}.list(${literal(query)});\nconsole.log(pagination.total, results);`,
          ],
          [`get${name}`, `console.log(await client.${dataset}.get(${record}));`],
          [
            `list${name}Changes`,
            `for await (const change of client.${dataset}.changes(${record})) {\n  console.log(change.changed_at, change.changes);\n}`,
          ],
        ];
      }),
    ),
    semanticSearch: `const { results } = await client.semanticSearch(${literal(body ?? {})});\nconsole.log(results);`,
    listSnapshots: "console.log(await client.snapshots.list());",
    getSnapshot: `console.log(await client.snapshots.get(${record}));`,
    downloadSnapshotFile: `const file = await client.snapshots.download(${record}, ${JSON.stringify(path.file)});`,
  };
  const call = calls[id];
  if (call === undefined) return undefined;
  return typescriptCall(baseUrl, call);
}

function fetchCall(operation: Operation, { body }: SampleRequest, address: string): string {
  const token = tokenVariable(operation);
  const headers = [
    ...(token === undefined ? [] : [`    Authorization: \`Bearer \${process.env.${token}}\`,`]),
    ...(body === undefined ? [] : ['    "Content-Type": "application/json",']),
  ];
  const options = [
    ...(operation.method === "GET" ? [] : [`  method: "${operation.method}",`]),
    ...(headers.length === 0 ? [] : ["  headers: {", ...headers, "  },"]),
    ...(body === undefined ? [] : [`  body: JSON.stringify(${literal(body, "  ")}),`]),
  ];
  const second = options.length === 0 ? "" : `, {\n${options.join("\n")}\n}`;
  return `const response = await fetch(${JSON.stringify(address)}${second});
if (!response.ok) throw new Error(await response.text());
console.log(await response.json());`;
}

/** A call of the Python client; undefined for operations that it leaves to `httpx`. */
function pythonCall({ id }: Operation, { path, query, body }: SampleRequest, baseUrl: string): string | undefined {
  const record = python(path.id);
  const calls: Record<string, string> = Object.fromEntries(
    ["grants", "contracts", "funders"].flatMap((dataset) => {
      const name = singular(dataset);
      return [
        [
          `list${capital(dataset)}`,
          `page = client.${dataset}.list(${named(query)}).page()\nprint(page["pagination"]["total"], page["results"])`,
        ],
        [`get${name}`, `print(client.${dataset}.get(${record}))`],
        [
          `list${name}Changes`,
          `for change in client.${dataset}.changes(${record}):\n    print(change["changed_at"], change["changes"])`,
        ],
      ];
    }),
  );
  const { query: text, ...others } = (body ?? {}) as { query?: string };
  calls.semanticSearch = `answer = client.semantic_search(${[python(text), named(others)].filter(Boolean).join(", ")})\nprint(answer["results"])`;
  const call = calls[id];
  if (call === undefined) return undefined;
  return pythonClient(baseUrl, call);
}

function httpxCall(operation: Operation, { query, body }: SampleRequest, url: string): string {
  const token = tokenVariable(operation);
  const options = [
    python(url),
    ...(Object.keys(query).length === 0 ? [] : [`params=${python(query)}`]),
    ...(token === undefined ? [] : [`headers={"Authorization": "Bearer " + os.environ["${token}"]}`]),
    ...(body === undefined ? [] : [`json=${python(body)}`]),
  ];
  const isFile = operation.answers.some(({ content = {} }) => "application/gzip" in content);
  return `${token === undefined ? "" : "import os\n\n"}import httpx

response = httpx.${operation.method.toLowerCase()}(
${options.map((option) => `    ${option},`).join("\n")}${isFile ? "\n    follow_redirects=True," : ""}
)
response.raise_for_status()
print(${isFile ? "len(response.content)" : "response.json()"})`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function singular(dataset: string): string {
  return capital(dataset).replace(/s$/, "");
}
