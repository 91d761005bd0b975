import { execFile, spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { root, tool } from "./consumer.ts";

const run = promisify(execFile);

/** Runs `scenario(input)` in a consumer's folder and gives its report. */
export type Runtime = (folder: string, input: object) => Promise<unknown>;

/** The scenario as a program that prints its report. */
async function program(folder: string, input: object): Promise<string> {
  const path = join(folder, "program.mjs");
  await writeFile(
    path,
    `import { scenario } from "./scenario.mjs";
console.log(JSON.stringify(await scenario(${JSON.stringify(input)})));`,
  );
  return path;
}

function command(...words: [string, ...string[]]): Runtime {
  return async (folder, input) => {
    const [file, ...options] = words;
    const { stdout } = await run(file, [...options, await program(folder, input)], { cwd: folder });
    return JSON.parse(stdout);
  };
}

/** Bundles the scenario with all that it imports, by the esbuild that Wrangler brings, for runtimes without node_modules. */
async function bundle(folder: string, source: string): Promise<string> {
  const entry = join(folder, "bundle-entry.mjs");
  const output = join(folder, "bundle.mjs");
  await writeFile(entry, source);
  await run(join(root, "node_modules/.bin/esbuild"), [entry, "--bundle", "--format=esm", `--outfile=${output}`], {
    cwd: folder,
  });
  return readFile(output, "utf8");
}

interface MiniflareModule {
  Miniflare: new (options: object) => { dispatchFetch(url: string): Promise<Response>; dispose(): Promise<void> };
}

/** Cloudflare's runtime on this machine, by the Miniflare that Wrangler brings. */
const workerd: Runtime = async (folder, input) => {
  const script = await bundle(
    folder,
    `import { scenario } from "./scenario.mjs";
export default { fetch: async () => Response.json(await scenario(${JSON.stringify(input)})) };`,
  );
  const entry = pathToFileURL(join(root, "node_modules/miniflare/dist/src/index.js")).href;
  const { Miniflare } = (await import(/* @vite-ignore */ entry)) as MiniflareModule;
  const worker = new Miniflare({ modules: true, script, compatibilityDate: "2026-04-01" });
  try {
    return await (await worker.dispatchFetch("http://worker.invalid/")).json();
  } finally {
    await worker.dispose();
  }
};

/** A page in headless Chromium, which sends its report to where it came from. */
const browser: Runtime = async (folder, input) => {
  const script = await bundle(
    folder,
    `import { scenario } from "./scenario.mjs";
const report = await scenario(${JSON.stringify(input)}).catch((error) => ({ error: String(error) }));
await fetch("/report", { method: "POST", body: JSON.stringify(report) });`,
  );
  const page = `<!doctype html><script type="module">${script}</script>`;
  const profile = await mkdtemp(join(tmpdir(), "funding-browser-"));

  return new Promise<unknown>((resolve, reject) => {
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      response.setHeader("content-type", "text/html; charset=utf-8");
      response.end(request.url === "/" ? page : "");
      if (request.url === "/report") end(() => resolve(JSON.parse(Buffer.concat(chunks).toString())));
    });
    const deadline = setTimeout(() => end(() => reject(new Error("the page sent no report"))), 60_000);
    let chromium: ReturnType<typeof spawn> | undefined;
    function end(settle: () => void) {
      clearTimeout(deadline);
      server.close();
      chromium?.once("close", () => rm(profile, { recursive: true, force: true }).then(settle, settle));
      // The command is a script that starts the browser.
      if (chromium?.pid !== undefined) process.kill(-chromium.pid);
    }
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      chromium = spawn(
        "chromium-headless-shell",
        [
          // Without it, the shell ends once the page is there.
          "--remote-debugging-port=0",
          ...["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"],
          ...["--disable-background-networking", "--disable-component-update", `--user-data-dir=${profile}`],
          `http://127.0.0.1:${port}/`,
        ],
        { stdio: "ignore", detached: true },
      );
      chromium.once("error", (error) => {
        chromium = undefined;
        server.close();
        clearTimeout(deadline);
        reject(error);
      });
    });
  });
};

export const runtimes: Record<string, Runtime> = {
  Node: command(process.execPath),
  Deno: command(
    process.execPath,
    join(root, "node_modules/deno/bin.cjs"),
    ...["run", "--quiet", "--no-lock", "--no-remote", "--cached-only", "--node-modules-dir=manual", "--allow-net"],
  ),
  Bun: (folder, input) => command(tool("bun"))(folder, input),
  workerd,
  Chromium: browser,
};
