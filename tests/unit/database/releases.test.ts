import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findReleaseFaults, hashMigrations, readReleases, releasedMigrations } from "../../../database/releases.ts";

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "funding-releases-"));
  await cp(new URL("../../../supabase", import.meta.url), join(root, "supabase"), { recursive: true });
});
afterEach(() => rm(root, { recursive: true, force: true }));

const faults = async () => findReleaseFaults(await readReleases(root), await hashMigrations(root));
const path = (name: string) => join(root, "supabase/migrations", name);

test("this checkout has every released migration as it was released", async () => {
  const releases = await readReleases(root);
  expect(Object.keys(releases)).toContain("1.1.0");
  expect(releasedMigrations(releases).length).toBeGreaterThan(60);
  expect(await faults()).toEqual([]);
});

test("one changed byte of a released migration is told, wherever it is", async () => {
  const names = releasedMigrations(await readReleases(root));
  const name = names[Math.floor(Math.random() * names.length)] as string;
  const text = await readFile(path(name));
  const at = Math.floor(Math.random() * text.length);
  text[at] = (text[at] as number) ^ 1;
  await writeFile(path(name), text);
  expect(await faults(), name).toEqual([expect.stringContaining(`${name} is released, and was changed`)]);
});

test("a released migration that is gone is told", async () => {
  await rm(path("20261120000200_records.sql"));
  expect(await faults()).toEqual([expect.stringContaining("20261120000200_records.sql is released, and missing")]);
});

test("a new migration comes after the released ones", async () => {
  await writeFile(path("20261120000201_early.sql"), "select 1;");
  await writeFile(path("29990101000000_late.sql"), "select 1;");
  expect(await faults()).toEqual([
    expect.stringContaining("20261120000201_early.sql is new, and must have a number after"),
  ]);
});
