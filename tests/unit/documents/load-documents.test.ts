import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readFolder } from "../../../cli/documents/folder-files.ts";
import { type LoadOptions, loadDocuments } from "../../../cli/documents/load-documents.ts";
import { isRead, readerToStore } from "../../../cli/documents/retry.ts";
import { closeAfter, queryOne } from "../../../database/connection.ts";
import { pgliteConnection } from "../../../database/pglite.ts";
import { grantOf, loadGrants } from "../../catalogue/records.ts";
import { openEmptyDatabase } from "../../support/service.ts";

const dayMs = 86_400_000;
const startMs = Date.parse("2026-11-30T12:00:00Z");

// Regression: it was not tried again until its file changed.
test("a file whose reading took too long is tried again after a week, and then no more", async () => {
  const folder = await mkdtemp(join(tmpdir(), "funding-documents-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, "notice.txt"), "The oboe project.");
  await writeFile(join(folder, "documents.json"), JSON.stringify([{ file: "notice.txt", records: ["EX-2027-001"] }]));
  const { files } = await readFolder(folder);
  await closeAfter(pgliteConnection(await openEmptyDatabase()), async (connection) => {
    await loadGrants(connection, [
      grantOf("numbered", { details: { opportunity_number: "EX-2027-001" }, identifiers: ["EX-2027-001"] }),
    ]);
    const load = (days: number, options: LoadOptions = {}) =>
      loadDocuments(connection, files, { ...options, now: () => startMs + days * dayMs });
    const stored = () =>
      queryOne<{ reason: string | null; passages: number }>(
        connection,
        "select reason, passages from funding.documents",
      );

    expect(await load(0, { limits: { timeMs: 1 } })).toMatchObject({ read: 1, failed: 1 });
    expect(await stored()).toMatchObject({ reason: "Reading the file took more than 0.001 s.", passages: 0 });
    expect(await load(6)).toMatchObject({ read: 0, unchanged: 1 });
    expect(await load(7)).toMatchObject({ read: 1, failed: 0 });
    expect(await stored()).toEqual({ reason: null, passages: 1 });
    expect(await load(30)).toMatchObject({ read: 0, unchanged: 1 });
  });
});

test("a new version of the reader reads all files again, those of which the reading came to no end at once", () => {
  for (const isDone of [true, false]) {
    const stored = readerToStore(isDone, startMs, 3);
    expect(isRead(stored, startMs, 3)).toBe(true);
    expect(isRead(stored, startMs, 4)).toBe(false);
  }
  expect(isRead(null, startMs, 3)).toBe(false);
});
