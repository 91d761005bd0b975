import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import manifest from "../../../packages/client/package.json" with { type: "json" };

test("the README installs the file that npm pack makes of this version", async () => {
  const readme = await readFile(new URL("../../../packages/client/README.md", import.meta.url), "utf8");
  expect(readme).toContain(`npm install ./${manifest.name}-${manifest.version}.tgz`);
});
