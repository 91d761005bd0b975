/**
 * Prints what each function weighs and how long a new process takes to its first answer.
 *
 * usage: node local/deno.mjs bench/cold-start/index.ts [RUNS]
 */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { textTable } from "../../cli/table.ts";
import { generateKey } from "../../shared/auth/key.ts";
import { type Bundle, bundle } from "./bundle.ts";
import { serveRestStandIn } from "./rest-stand-in.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const firstAnswer = fileURLToPath(new URL("first-answer.ts", import.meta.url));
/** Each function's first request, and the answer that shows it to be whole: what callers without a right to more get. */
const functions: Record<string, { method: "GET" | "POST"; status: number }> = {
  "grants-api": { method: "GET", status: 200 },
  "contracts-api": { method: "GET", status: 200 },
  "funders-api": { method: "GET", status: 200 },
  "semantic-search": { method: "POST", status: 200 },
  openapi: { method: "GET", status: 200 },
  health: { method: "GET", status: 200 },
  // Not set up here: it has no secret.
  metrics: { method: "GET", status: 404 },
  // Verifies the token, and finds it forged.
  "account-api": { method: "GET", status: 401 },
  billing: { method: "POST", status: 404 },
  // Not set up here: it has no key for webhook secrets.
  dispatch: { method: "POST", status: 503 },
  mcp: { method: "POST", status: 400 },
};
const runs = Number(Deno.args[0] ?? 5);

const esbuild = execFileSync(`${root}scripts/tool.sh`, ["esbuild"], { encoding: "utf8" }).trim();
// Inside the checkout, so that packages are found; ignored by git.
const folder = `${root}.data/cold-start`;
await Deno.mkdir(folder, { recursive: true });
const rest = serveRestStandIn();
const key = generateKey();
const forgedToken = `${btoa('{"alg":"HS256"}')}.${btoa('{"sub":"x"}')}.c2lnbmF0dXJl`.replaceAll("=", "");

try {
  const empty = await milliseconds(200, [await written("empty.ts", "console.log(200)")]);
  const rows = [];
  let heaviest: Bundle | undefined;
  for (const [name, { method, status }] of Object.entries(functions)) {
    const entry = `${root}functions/${name}/index.ts`;
    const bundled = await bundle(esbuild, entry, `${folder}/${name}.mjs`);
    if (heaviest === undefined || bundled.gzipBytes > heaviest.gzipBytes) heaviest = bundled;
    const ask = [method, `http://127.0.0.1/${name}`, name === "account-api" ? forgedToken : key];
    rows.push({
      function: name,
      modules: bundled.modules,
      "minified, gzip": kibibytes(bundled.gzipBytes),
      "first answer": `${await milliseconds(status, [firstAnswer, entry, ...ask])} ms`,
      "as one file": `${await milliseconds(status, [firstAnswer, bundled.path, ...ask])} ms`,
    });
  }
  console.log(`medians of ${runs} processes, against a stand-in for PostgREST; an empty script takes ${empty} ms\n`);
  console.log(textTable(rows));

  const parts = [...(heaviest?.bytesBy ?? [])].sort(([, a], [, b]) => b - a);
  console.log("\nwhat is in the heaviest, minified\n");
  console.log(textTable(parts.map(([part, bytes]) => ({ part, size: kibibytes(bytes) }))));

  const imports = [];
  for (const specifier of ["zod", "@supabase/supabase-js", "@supabase/postgrest-js", "jose", "stripe", "openai"]) {
    const script = await written(`${specifier.replace(/\W/g, "-")}.ts`, `import "${specifier}"; console.log(200)`);
    imports.push({
      import: specifier,
      "beyond an empty script": `${Math.round((await milliseconds(200, [script])) - empty)} ms`,
    });
  }
  console.log("\nwhat importing a package costs\n");
  console.log(textTable(imports));
} finally {
  await rest.close();
  await Deno.remove(folder, { recursive: true });
}

/** The median time from a process's start to its end; the first run, which fills Deno's cache, does not count. */
async function milliseconds(status: number, script: string[]): Promise<number> {
  const times = [];
  for (let run = 0; run <= runs; run++) {
    const started = performance.now();
    const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--quiet", "--allow-all", "--no-lock", "--no-remote", ...script],
      cwd: root,
      env: {
        SUPABASE_URL: rest.url,
        SUPABASE_SECRET_KEY: "none",
        AUTH_JWT_SECRET: "a secret that nothing was signed with",
        // Its words are the answer.
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
  times.sort((a, b) => a - b);
  return Math.round(times[Math.floor(times.length / 2)] ?? 0);
}

async function written(name: string, text: string): Promise<string> {
  await Deno.writeTextFile(`${folder}/${name}`, text);
  return `${folder}/${name}`;
}

function kibibytes(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} KiB`;
}
