import { type Dataset, parametersOf } from "./datasets.ts";

/** State of the explorer's form: the dataset, and the parameters as text. */
export interface ExplorerForm {
  dataset: Dataset;
  values: Readonly<Record<string, string>>;
}

/** An HTTP request to the API, without the key. */
export interface ApiRequest {
  method: "GET" | "POST";
  url: string;
  body?: Record<string, unknown>;
}

/** Builds the form's request. Empty parameters, and those of other datasets, are left out. */
export function requestFor({ dataset, values }: ExplorerForm, baseUrl: string): ApiRequest {
  const { main, more } = parametersOf[dataset];
  const given = [...main, ...more].flatMap(({ name, kind }) => {
    const value = values[name]?.trim() ?? "";
    return value === "" ? [] : [{ name, kind, value }];
  });
  if (dataset === "semantic") {
    const body = given.map(({ name, kind, value }) => [name, kind === "number" ? Number(value) : value] as const);
    return { method: "POST", url: `${baseUrl}/semantic-search`, body: Object.fromEntries(body) };
  }
  const query = new URLSearchParams(given.map(({ name, value }) => [name, value])).toString();
  return { method: "GET", url: `${baseUrl}/${dataset}-api${query === "" ? "" : `?${query}`}` };
}

/** The request as a command line. The key is in a variable, so that it does not get into the shell's history. */
export function asCurl({ url, body }: ApiRequest): string {
  return [
    'curl -H "Authorization: Bearer $FUNDING_API_KEY" \\',
    ...(body === undefined
      ? []
      : ['  -H "Content-Type: application/json" \\', `  -d ${quoteForShell(JSON.stringify(body))} \\`]),
    `  ${quoteForShell(url)}`,
  ].join("\n");
}

function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The request as TypeScript, for any runtime with `fetch`. */
export function asTypeScript({ method, url, body }: ApiRequest): string {
  const { origin, pathname, searchParams } = new URL(url);
  const address = JSON.stringify(`${origin}${pathname}`);
  const parameters = [...searchParams].map(
    ([name, value]) => `url.searchParams.set(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
  );
  return [
    `const url = new URL(${address});`,
    ...parameters,
    "",
    "const response = await fetch(url, {",
    ...(method === "POST" ? ['  method: "POST",'] : []),
    "  headers: {",
    '    Authorization: "Bearer " + process.env.FUNDING_API_KEY,',
    ...(body === undefined ? [] : ['    "Content-Type": "application/json",']),
    "  },",
    ...(body === undefined ? [] : [`  body: JSON.stringify(${JSON.stringify(body)}),`]),
    "});",
    "if (!response.ok) throw new Error(await response.text());",
    "console.log(await response.json());",
  ].join("\n");
}
