import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import service from "../../../package.json" with { type: "json" };
import manifest from "../../../packages/client/package.json" with { type: "json" };

test("the client has the service's version", () => {
  expect(manifest.version).toBe(service.version);
});

test("the README installs the file that npm pack makes of this version", async () => {
  const readme = await readFile(new URL("../../../packages/client/README.md", import.meta.url), "utf8");
  expect(readme).toContain(`npm install ./${manifest.name}-${manifest.version}.tgz`);
});
