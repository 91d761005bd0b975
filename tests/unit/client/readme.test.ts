import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import service from "../../../package.json" with { type: "json" };
import manifest from "../../../packages/client/package.json" with { type: "json" };
import { createFundingClient } from "../../../packages/client/src/index.ts";

const textOf = (path: string) => readFile(new URL(`../../../packages/${path}`, import.meta.url), "utf8");

test("the client has the service's version", () => {
  expect(manifest.version).toBe(service.version);
});

test("the README installs the file that npm pack makes of this version", async () => {
  expect(await textOf("client/README.md")).toContain(`npm install ./${manifest.name}-${manifest.version}.tgz`);
});

// The Python README sent readers to `snapshots` of the TypeScript client, which its README did not have.
test("the README of the TypeScript client names each of its methods, in the words of a section or an example", async () => {
  const client = createFundingClient({ baseUrl: "https://api.example.org/functions/v1", apiKey: "fo_live_none" });
  const methods = Object.entries(client).flatMap(([name, member]) =>
    typeof member === "function" ? [name] : Object.keys(member).map((method) => `${name}.${method}`),
  );
  // The three datasets have the same methods.
  const expected = methods.filter((name) => !/^(contracts|funders)\./.test(name));
  const readme = await textOf("client/README.md");
  const isNamed = (name: string) => {
    const [owner = "", method = owner] = name.split(".");
    return readme.includes(`\`${owner}\``) || owner === method ? new RegExp(`\\b${method}\\b`).test(readme) : false;
  };
  expect(expected.filter((name) => !isNamed(name))).toEqual([]);
  expect(expected).toEqual(expect.arrayContaining(["grants.mirror", "snapshots.download", "semanticSearch"]));
});

test("the README of the Python client names each of its methods", async () => {
  const [readme, ...sources] = await Promise.all(
    ["README.md", "src/funding_opportunities/client.py", "src/funding_opportunities/lists.py"].map((name) =>
      textOf(`python/${name}`),
    ),
  );
  const methods = sources.flatMap((source) =>
    [...source.matchAll(/^ {4}def ([a-z]\w*)\(/gm)].map(([, name = ""]) => name),
  );
  expect(methods).toEqual(expect.arrayContaining(["semantic_search", "mirror", "changes", "dataframe"]));
  expect(methods.filter((name) => !new RegExp(`\\b${name}\\(`).test(readme ?? ""))).toEqual([]);
});

test("links from one README to a section of another lead to one", async () => {
  const headings = async (path: string) =>
    [...(await textOf(path)).matchAll(/^#+ (.+)$/gm)].map(([, text = ""]) =>
      text
        .toLowerCase()
        .replaceAll(/[^\w -]/g, "")
        .replaceAll(" ", "-"),
    );
  for (const path of ["client/README.md", "python/README.md"]) {
    for (const [, to = "", section = ""] of (await textOf(path)).matchAll(/\]\(\.\.\/([^)#]+)#([^)]+)\)/g)) {
      expect(await headings(to), `${path} → ${to}#${section}`).toContain(section);
    }
  }
});
