import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readFolder } from "../../../cli/documents/folder-files.ts";
import { type LoadOptions, loadDocuments } from "../../../cli/documents/load-documents.ts";
import { closeAfter, queryOne } from "../../../database/connection.ts";
import { pgliteConnection } from "../../../database/pglite.ts";
import { grantOf, loadGrants } from "../../catalogue/records.ts";
import { openEmptyDatabase } from "../../support/service.ts";

// Regression: it was not tried again until its file changed.
test("a file whose reading took too long is tried again after a week, and one that another reader read at once", async () => {
  const folder = await mkdtemp(join(tmpdir(), "funding-documents-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, "notice.txt"), "The oboe project.");
  await writeFile(join(folder, "documents.json"), JSON.stringify([{ file: "notice.txt", records: ["EX-2027-001"] }]));
  const { files } = await readFolder(folder);
  await closeAfter(pgliteConnection(await openEmptyDatabase()), async (connection) => {
    await loadGrants(connection, [
      grantOf("numbered", { details: { opportunity_number: "EX-2027-001" }, identifiers: ["EX-2027-001"] }),
    ]);
    const load = (options: LoadOptions = {}) => loadDocuments(connection, files, options);
    const change = (assignment: string) => connection.execute(`update funding.documents set ${assignment}`);
    const stored = () =>
      queryOne<{ reason: string | null; passages: number }>(
        connection,
        "select reason, passages from funding.documents",
      );

    expect(await load({ limits: { timeMs: 1 } })).toMatchObject({ read: 1, failed: 1 });
    expect(await stored()).toMatchObject({ reason: "Reading the file took more than 0.001 s.", passages: 0 });
    await change("retry_at = retry_at - interval '6 days 23 hours'");
    expect(await load()).toMatchObject({ read: 0, unchanged: 1 });
    await change("retry_at = retry_at - interval '1 hour'");
    expect(await load()).toMatchObject({ read: 1, failed: 0 });
    expect(await stored()).toEqual({ reason: null, passages: 1 });
    await change("retry_at = retry_at - interval '30 days'");
    expect(await load()).toMatchObject({ read: 0, unchanged: 1 });
    await change("reader = reader - 1");
    expect(await load()).toMatchObject({ read: 1, unchanged: 0 });
    // A text stays where another reader of the same file comes to no end.
    await change("reader = reader - 1");
    expect(await load({ limits: { timeMs: 1 } })).toMatchObject({ read: 0, failed: 1 });
    expect(await stored()).toEqual({ reason: null, passages: 1 });
  });
});

test("a file that could not be had counts as such in each load, and as none that was read", async () => {
  const folder = await mkdtemp(join(tmpdir(), "funding-documents-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const url = "https://notices.example/1.pdf";
  const entry = { file: null, bytes: null, sha256: null, etag: null, last_modified: null, fetched_at: null };
  const documents = { [url]: { ...entry, reason: "answers 404", checked_at: "2026-12-01T08:00:00Z" } };
  await writeFile(join(folder, "manifest.json"), JSON.stringify({ version: 1, documents }));
  const { files } = await readFolder(folder);
  await closeAfter(pgliteConnection(await openEmptyDatabase()), async (connection) => {
    await loadGrants(connection, [grantOf("listed", { details: { documents: [{ url, name: "Notice" }] } })]);
    for (const _ of ["first", "second"]) {
      expect(await loadDocuments(connection, files)).toMatchObject({ read: 0, unchanged: 0, failed: 1, documents: 0 });
    }
    expect(await queryOne(connection, "select reason from funding.documents")).toEqual({
      reason: "The address answers 404.",
    });
  });
});
