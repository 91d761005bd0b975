/**
 * Writes what the customers' command line knows of the API's lists, packages/client/src/cli/parameters.generated.ts, from the OpenAPI document.
 *
 * usage: node local/deno.mjs scripts/cli-parameters.ts [--check]
 *
 * With --check it writes nothing, and fails when the file is not what it would write.
 */

import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import openapi from "../functions/openapi/openapi.json" with { type: "json" };
import { printError } from "../local/print.ts";

interface Parameter {
  name?: string;
  in?: string;
  description?: string;
  schema?: { type?: string; enum?: string[]; default?: unknown; items?: { enum?: string[] } };
}

const target = fileURLToPath(new URL("../packages/client/src/cli/parameters.generated.ts", import.meta.url));

/** Parameters that the command line sets itself, by options of its own. */
const own = ["format", "count_only", "cursor", "offset", "archived_as_ids", "explain", "search", "expand"];
/** More choices than a line of help has room for are in the reference. */
const mostChoices = 12;

function parametersOf(path: "/grants-api" | "/contracts-api" | "/funders-api") {
  return (openapi.paths[path].get.parameters as Parameter[]).flatMap(({ name, description = "", schema }) => {
    if (name === undefined || own.includes(name)) return [];
    const choices = schema?.enum ?? schema?.items?.enum ?? [];
    const first = /^.*?[.:](?= |$)/.exec(description)?.[0] ?? description;
    return [
      {
        name: name.replaceAll("_", "-"),
        isFlag: schema?.type === "boolean",
        text: first.replaceAll("`", "").replace(/[.:]$/, ""),
        ...(choices.length > 0 && choices.length <= mostChoices ? { choices } : {}),
      },
    ];
  });
}

const parameters = {
  grants: parametersOf("/grants-api"),
  contracts: parametersOf("/contracts-api"),
  funders: parametersOf("/funders-api"),
};

const text = `// Written by scripts/cli-parameters.ts from the OpenAPI document: do not edit.

/** A parameter of a list, as an option. */
export interface ListParameter {
  /** Of the option, without its dashes. */
  name: string;
  /** Whether it is true or false. */
  isFlag: boolean;
  /** What it does, in a line. */
  text: string;
  /** Its values, where they are few. */
  choices?: readonly string[];
}

/** Parameters of the lists, by dataset. */
// biome-ignore format: written by a script
export const parameters: Readonly<Record<"grants" | "contracts" | "funders", readonly ListParameter[]>> = ${JSON.stringify(parameters, null, 2)};
`;

if (process.argv.includes("--check")) {
  if ((await readFile(target, "utf8").catch(() => "")) !== text) {
    printError("packages/client/src/cli/parameters.generated.ts is not of this document: run npm run openapi");
    process.exitCode = 1;
  }
} else {
  await writeFile(target, text);
}
