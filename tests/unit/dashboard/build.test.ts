import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { buildDashboard } from "../../../local/dashboard/build.mjs";

/** Stands for Vite: writes a page that says how many times it was run. */
const vite = `
  const fs = require("node:fs");
  const count = fs.existsSync("runs") ? Number(fs.readFileSync("runs", "utf8")) + 1 : 1;
  fs.writeFileSync("runs", String(count));
  if (fs.readFileSync("dashboard/index.html", "utf8") === "broken") { console.error("no such module"); process.exit(1); }
  const folder = process.argv[process.argv.indexOf("--outDir") + 1];
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(folder + "/index.html", "run " + count);
`;

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "funding-build-"));
  write("dashboard/index.html", "page");
  write("dashboard/src/main.tsx", "1");
  write("shared/a.ts", "1");
  write("node_modules/vite/bin/vite.js", vite);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Writes a file of the project as of an hour ago, or the moment that many seconds from now. */
function write(path: string, text: string, seconds = -3600): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
  const at = Date.now() / 1000 + seconds;
  utimesSync(join(root, path), at, at);
}

const built = () => readFileSync(join(root, "dashboard/dist/index.html"), "utf8");

test("is made when there is none, and not again until a source changes", async () => {
  expect(await buildDashboard(root)).toBeUndefined();
  expect(await buildDashboard(root)).toBeUndefined();
  expect(built()).toBe("run 1");
  for (const [run, path] of [
    "dashboard/src/main.tsx",
    "shared/a.ts",
    "package-lock.json",
    "functions/openapi/openapi.json",
    "docs/changelog.json",
  ].entries()) {
    write(path, "2", 60);
    expect(await buildDashboard(root)).toBeUndefined();
    expect(built()).toBe(`run ${run + 2}`);
    write(path, "2");
  }
});

test("leaves nothing but itself beside the sources", async () => {
  await buildDashboard(root);
  write("dashboard/src/main.tsx", "2", 60);
  await buildDashboard(root);
  expect(readdirSync(join(root, "dashboard")).sort()).toEqual(["dist", "index.html", "src"]);
});

test("that fails leaves the last one, and says why", async () => {
  await buildDashboard(root);
  write("dashboard/index.html", "broken", 60);
  expect(await buildDashboard(root)).toContain("no such module");
  expect(built()).toBe("run 1");
});

test("without Vite says how to get it", async () => {
  rmSync(join(root, "node_modules"), { recursive: true });
  expect(await buildDashboard(root)).toContain("npm ci");
});

test("without a dashboard in the checkout is no fault", async () => {
  rmSync(join(root, "dashboard"), { recursive: true });
  expect(await buildDashboard(root)).toBeUndefined();
});
