import { mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { streamFile } from "../../../local/embedded/file-stream.ts";
import { waitUntil } from "../../support/wait-until.ts";

const folder = mkdtempSync(join(tmpdir(), "funding-stream-"));
const path = join(folder, "file");
const content = Uint8Array.from({ length: 300_000 }, (_, index) => index % 251);
writeFileSync(path, content);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** How often this process has the file open. */
const openings = () =>
  readdirSync("/proc/self/fd").filter((name) => {
    try {
      return readlinkSync(`/proc/self/fd/${name}`) === path;
    } catch {
      return false;
    }
  }).length;

const read = async (part?: { start?: number; end?: number }) =>
  new Uint8Array(await new Response(streamFile(path, part)).arrayBuffer());

test("a file is streamed whole, or the part that is asked for", async () => {
  expect(await read()).toEqual(content);
  expect(await read({ start: 70_000, end: 139_999 })).toEqual(content.subarray(70_000, 140_000));
  expect(await read({ start: 299_999 })).toEqual(content.subarray(299_999));
  expect(await read({ start: 300_000 })).toHaveLength(0);
  expect(openings()).toBe(0);
});

test("a reader that leaves, at whatever moment, leaves no error behind and no open file", async () => {
  const failures: unknown[] = [];
  const note = (error: unknown) => void failures.push(error);
  process.on("unhandledRejection", note).on("uncaughtException", note);
  await Promise.all(
    Array.from({ length: 300 }, async (_, index) => {
      const reader = streamFile(path).getReader();
      const reading = reader.read();
      for (let turn = 0; turn < index % 7; turn++) await new Promise(setImmediate);
      await reader.cancel();
      await reading;
    }),
  );
  await waitUntil(async () => openings() === 0, "all files are closed");
  process.off("unhandledRejection", note).off("uncaughtException", note);
  expect(failures).toEqual([]);
});

test("a file that is not there fails its reader", async () => {
  await expect(new Response(streamFile(join(folder, "none"))).arrayBuffer()).rejects.toThrow("ENOENT");
});
