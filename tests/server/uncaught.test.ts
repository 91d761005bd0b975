import { expect, test } from "vitest";
import { run } from "./server-process.ts";

/** Runs a script under the net of the server. */
async function outlive(script: string) {
  const net = new URL("../../local/embedded/uncaught.ts", import.meta.url).href;
  const code = `import { outliveUncaughtErrors } from ${JSON.stringify(net)};
    outliveUncaughtErrors({ write: (level, fields) => console.log(level, fields.error.split("\\n")[0]) });
    ${script}`;
  const { exit, output } = run({}, ["node", "local/deno.mjs", `data:text/typescript,${encodeURIComponent(code)}`]);
  return { status: await exit, lines: output.stdout.trim().split("\n"), stderr: output.stderr };
}

const later = `setTimeout(() => console.log("goes on"), 100);`;

test("an error that nothing caught is logged, and the process goes on", async () => {
  const thrown = await outlive(`setTimeout(() => { throw new TypeError("of one request"); }, 10); ${later}`);
  expect(thrown).toMatchObject({ status: 0, lines: ["error uncaught: TypeError: of one request", "goes on"] });
  const rejected = await outlive(`void Promise.reject(new Error("of one request")); ${later}`);
  expect(rejected).toMatchObject({ status: 0, lines: ["error uncaught: Error: of one request", "goes on"] });
});

test("a fault of the database's WebAssembly ends the process, and says so", async () => {
  const failed = await outlive(`void Promise.reject(new WebAssembly.RuntimeError("unreachable")); ${later}`);
  expect(failed).toMatchObject({ status: 70, lines: ["error the database failed: RuntimeError: unreachable"] });
});
