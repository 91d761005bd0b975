import { execFile, execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { entryOf, functionNames, graphOf, root } from "../unit/deploy/modules.ts";
import { type ManagementApi, startManagementApi } from "./management-api.ts";

const run = promisify(execFile);

let api: ManagementApi;
let folder: string;
let output: string;

/** `supabase functions deploy --use-api` of a copy of this checkout, so that the CLI leaves nothing in it. */
beforeAll(async () => {
  const cli = execFileSync(join(root, "scripts/tool.sh"), ["supabase"], { encoding: "utf8" }).trim();
  api = await startManagementApi();
  folder = mkdtempSync(join(tmpdir(), "funding-deploy-"));
  const checkout = join(folder, "checkout");
  for (const part of ["functions", "shared", "supabase", "package.json"]) {
    cpSync(join(root, part), join(checkout, part), { recursive: true });
  }
  const profile = join(folder, "profile.yaml");
  writeFileSync(profile, `name: stand-in\napi_url: ${api.url}\ndashboard_url: ${api.url}\nproject_host: localhost\n`);
  const { stdout, stderr } = await run(
    cli,
    ["functions", "deploy", "--use-api", "--yes", "--remote=abcdefghijklmnopqrst", "--profile", profile],
    {
      cwd: checkout,
      env: {
        PATH: process.env.PATH,
        HOME: folder,
        SUPABASE_ACCESS_TOKEN: `sbp_${"0123456789".repeat(4)}`,
        SUPABASE_NO_KEYRING: "1",
        SUPABASE_NO_UPDATE_NOTIFIER: "1",
        SUPABASE_TELEMETRY_DISABLED: "1",
      },
    },
  );
  output = stdout + stderr;
});
afterAll(async () => {
  await api.close();
  rmSync(folder, { recursive: true, force: true });
});

test("a deploy makes every function live, without a warning", () => {
  expect(api.released.sort()).toEqual(functionNames());
  expect(output).not.toMatch(/warn/i);
});

describe.each(functionNames())("the upload of %s", (name) => {
  test("names its entry and import map, and leaves callers to the function", () => {
    expect(api.uploads.get(name)?.metadata).toMatchObject({
      name,
      entrypoint_path: entryOf(name),
      import_map_path: "functions/deno.json",
      verify_jwt: false,
    });
  });

  test("has every file that the function needs, as it is here", () => {
    const needed = ["functions/deno.json", ...graphOf(entryOf(name)).files];
    const uploaded = api.uploads.get(name)?.files ?? new Map<string, string>();
    expect(needed.filter((path) => uploaded.get(path) !== readFileSync(join(root, path), "utf8"))).toEqual([]);
  });

  test("answers a request, with nothing but what was uploaded", async () => {
    const upload = join(folder, "uploaded", name);
    for (const [path, text] of api.uploads.get(name)?.files ?? []) {
      mkdirSync(dirname(join(upload, path)), { recursive: true });
      writeFileSync(join(upload, path), text);
    }
    // The protocol's routes are below the function's own path.
    const path = name === "common-grants" ? `${name}/opportunities` : name;
    writeFileSync(
      join(upload, "functions/ask.ts"),
      `import called from "../${entryOf(name)}";
       const answer = await called.fetch(new Request("http://functions/${path}", { method: "OPTIONS" }));
       console.log(answer.status);`,
    );
    symlinkSync(join(root, "node_modules"), join(upload, "node_modules"));
    const { stdout } = await run(
      process.execPath,
      [
        join(root, "node_modules/deno/bin.cjs"),
        ...["run", "--quiet", "--allow-env", "--cached-only", "--no-lock", "--node-modules-dir=manual", "ask.ts"],
      ],
      {
        cwd: join(upload, "functions"),
        env: { ...process.env, SUPABASE_URL: "http://127.0.0.1:1", SUPABASE_SECRET_KEY: "none", LOG_LEVEL: "error" },
      },
    );
    // A preflight is answered; what no browser calls refuses it. Saved searches have nothing at the function's own address.
    expect(["204", "405", "404"]).toContain(stdout.trim());
  });
});
