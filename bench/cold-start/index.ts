/**
 * Prints the size of each function, and the time of a new process until its first answer.
 *
 * usage: node local/deno.mjs bench/cold-start/index.ts [RUNS]
 */

import { fileURLToPath } from "node:url";
import { textTable } from "../../cli/table.ts";
import { print } from "../../local/print.ts";
import { generateKey } from "../../shared/auth/key.ts";
import { median } from "../statistics.ts";
import { type Bundle, bundleFunction } from "./bundle.ts";
import { serveRestStandIn } from "./rest-stand-in.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const firstAnswer = fileURLToPath(new URL("first-answer.ts", import.meta.url));
/** First request of each function, and the status that shows that the function works. */
const firstRequests: Record<string, { method: "GET" | "POST"; path?: string; status: number }> = {
  "grants-api": { method: "GET", status: 200 },
  "contracts-api": { method: "GET", status: 200 },
  "funders-api": { method: "GET", status: 200 },
  "semantic-search": { method: "POST", status: 200 },
  "common-grants": { method: "GET", path: "/opportunities", status: 200 },
  snapshots: { method: "GET", status: 200 },
  // A well-formed token that nobody was given needs the database; this one has the wrong form.
  "saved-searches": { method: "GET", path: "/none/feed.atom", status: 404 },
  openapi: { method: "GET", status: 200 },
  health: { method: "GET", status: 200 },
  // Not configured here: it has no secret.
  metrics: { method: "GET", status: 404 },
  // Verifies the token, which is forged.
  "account-api": { method: "GET", status: 401 },
  billing: { method: "POST", status: 404 },
  // Not configured here: it has no key for webhook secrets.
  dispatch: { method: "POST", status: 503 },
  mcp: { method: "POST", status: 400 },
};
const runs = Number(Deno.args[0] ?? 5);
if (!(runs >= 1)) throw new Error("usage: npm run bench:cold-start -- [RUNS]");

// The esbuild that Wrangler bundles with, so that the sizes are those that are deployed.
const esbuild = `${root}node_modules/.bin/esbuild`;
// Inside the checkout, so that packages are found; ignored by git.
const folder = `${root}.data/cold-start`;
await Deno.mkdir(folder, { recursive: true });
const rest = serveRestStandIn();
const key = generateKey();
const forgedToken = `${btoa('{"alg":"HS256"}')}.${btoa('{"sub":"x"}')}.c2lnbmF0dXJl`.replaceAll("=", "");

try {
  const empty = await medianMs(200, [await writeScript("empty.ts", "console.log(200)")]);
  const rows = [];
  let largest: Bundle | undefined;
  for (const [name, { method, path = "", status }] of Object.entries(firstRequests)) {
    const entry = `${root}functions/${name}/index.ts`;
    const bundled = await bundleFunction(esbuild, entry, `${folder}/${name}.mjs`);
    if (largest === undefined || bundled.gzipBytes > largest.gzipBytes) largest = bundled;
    const request = [method, `http://127.0.0.1/${name}${path}`, name === "account-api" ? forgedToken : key];
    rows.push({
      function: name,
      modules: bundled.modules,
      "minified, gzip": kibibytes(bundled.gzipBytes),
      "our files at start": bundled.start.files,
      "minified at start": kibibytes(bundled.start.bytes),
      "first answer": `${await medianMs(status, [firstAnswer, entry, ...request])} ms`,
      "as one file": `${await medianMs(status, [firstAnswer, bundled.path, ...request])} ms`,
    });
  }
  print(`medians of ${runs} processes, against a stand-in for PostgREST; an empty script takes ${empty} ms`);
  print(["", ...textTable(rows)]);

  const parts = [...(largest?.bytesBy ?? [])].sort(([, a], [, b]) => b - a);
  print(["", "contents of the largest, minified", ""]);
  print(textTable(parts.map(([part, bytes]) => ({ part, size: kibibytes(bytes) }))));

  const imports = [];
  for (const specifier of ["zod", "@supabase/supabase-js", "@supabase/postgrest-js", "jose", "stripe", "openai"]) {
    const script = await writeScript(`${specifier.replace(/\W/g, "-")}.ts`, `import "${specifier}"; console.log(200)`);
    imports.push({
      import: specifier,
      "beyond an empty script": `${Math.round((await medianMs(200, [script])) - empty)} ms`,
    });
  }
  print(["", "time of importing a package", ""]);
  print(textTable(imports));
} finally {
  await rest.close();
  await Deno.remove(folder, { recursive: true });
}

/** Median time from a process's start to its end. The first run, which fills Deno's cache, does not count. */
async function medianMs(status: number, script: string[]): Promise<number> {
  const times = [];
  for (let run = 0; run <= runs; run++) {
    const started = performance.now();
    const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--quiet", "--allow-all", "--no-lock", "--no-remote", ...script],
      cwd: root,
      // Without the caller's settings, such as METRICS_SECRET, with which functions answer otherwise.
      clearEnv: true,
      env: {
        ...Object.fromEntries(
          Object.entries(Deno.env.toObject()).filter(([name]) => /^(HOME|PATH|DENO_DIR)$/.test(name)),
        ),
        SUPABASE_URL: rest.url,
        SUPABASE_SECRET_KEY: "none",
        AUTH_JWT_SECRET: "a secret that nothing was signed with",
        // Standard output must have the status alone.
        LOG_LEVEL: "error",
        DENO_NO_UPDATE_CHECK: "1",
      },
    }).output();
    if (run > 0) times.push(performance.now() - started);
    const answered = new TextDecoder().decode(stdout).trim();
    if (answered !== String(status)) {
      throw new Error(`${script.join(" ")} answered ${answered}: ${new TextDecoder().decode(stderr)}`);
    }
  }
  return Math.round(median(times));
}

async function writeScript(name: string, text: string): Promise<string> {
  await Deno.writeTextFile(`${folder}/${name}`, text);
  return `${folder}/${name}`;
}

function kibibytes(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} KiB`;
}
