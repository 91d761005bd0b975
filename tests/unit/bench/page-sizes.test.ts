import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { measurePageFiles } from "../../../bench/speed/cases/pages.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sizes-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

test("a page's first load is its file, its scripts and its styles, as they are served", async () => {
  const write = (path: string, bytes: number, text = "") => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text.padEnd(bytes));
  };
  const tags =
    '<link rel="icon" href="/icon.svg"><script src="/theme.js"></script><link rel="modulepreload" crossorigin href="/a/x.js"><link rel="stylesheet" href="/a/x.css">';
  write("index.html", 500, tags);
  write("index.html.br", 200);
  write("reference/list.html", 300, tags.replace(/<link rel="stylesheet.*/, ""));
  write("icon.svg", 1_000);
  write("theme.js", 10);
  write("a/x.js", 900);
  write("a/x.js.br", 400);
  write("a/x.css", 5);
  expect(await measurePageFiles(folder)).toEqual([
    { page: "reference/list.html", bytes: 300 + 10 + 400 },
    { page: "index.html", bytes: 200 + 10 + 400 + 5 },
  ]);
});
