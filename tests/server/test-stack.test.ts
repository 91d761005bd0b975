import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { optionalVariables } from "../contract/optional-variables.ts";
import { copyDemoFolder } from "./demo-folder.ts";
import { freePort, run, type ServerProcess, startServer } from "./server-process.ts";

/** `npm run test:stack` with what its help asks for and no more, at what `npm start` prints. */
let folder: string;
let server: ServerProcess | undefined;

const optional = [...new Set(Object.values(optionalVariables).flatMap(({ variables }) => [...variables]))];
/** Empty is as good as absent, here and in a shell. */
const unset = Object.fromEntries(optional.map((name) => [name, ""]));

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "funding-test-stack-"));
  server = await startServer({
    ...unset,
    DATA_DIR: await copyDemoFolder(join(folder, "data")),
    PORT: String(await freePort()),
  });
});
afterAll(async () => {
  await server?.end("SIGTERM");
  await rm(folder, { recursive: true, force: true });
});

async function testStack(files: readonly string[]) {
  if (server === undefined) throw new Error("the server is not there");
  const { base_url, api_key, limited_api_key, free_api_key } = server.ready;
  const keys = ["--key", api_key, "--limited-key", limited_api_key, "--free-key", free_api_key];
  const command = ["npm", "run", "--silent", "test:stack", "--", base_url, ...keys, "--", ...files];
  const { output, exit } = run({ ...unset, NO_COLOR: "1" }, command);
  return { status: await exit, ...output };
}

// The other files run at an npm start in tests/upgrades/embedded.test.ts.
const withSkipped = ["account", "billing", "checkout", "known-lists", "metrics"];

test("the contract suite passes at a plain npm start, and names the tests that it skipped and the variables that they need", async () => {
  const files = withSkipped.map((name) => `tests/contract/${name}.test.ts`);
  const { status, stdout, stderr } = await testStack(files);
  expect(status, `${stdout.slice(-6_000)}\n${stderr.slice(-2_000)}`).toBe(0);
  const summary = stdout.slice(stdout.indexOf("Skipped: they need variables"));
  const { signIn, billing, checkout, metrics } = optionalVariables;
  for (const [file, { variables }] of [
    ["account", signIn],
    ["known-lists", signIn],
    ["billing", billing],
    ["checkout", checkout],
    ["metrics", metrics],
  ] as const) {
    expect(summary).toMatch(new RegExp(`\\d+ tests? of ${file}\\.test\\.ts: set ${variables.join(", ")}`));
  }
}, 1_200_000);

test("its help names each variable that enables tests, and asks for nothing that npm start does not print", async () => {
  const { output, exit } = run(unset, ["npm", "run", "--silent", "test:stack", "--", "--help"]);
  expect(await exit).toBe(0);
  for (const name of optional) expect(output.stdout).toContain(name);
  for (const { tests, variables } of Object.values(optionalVariables)) {
    expect(output.stdout).toContain(`${tests}: ${variables.join(", ")}`);
  }
});
