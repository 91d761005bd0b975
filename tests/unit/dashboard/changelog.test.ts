import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import * as z from "zod";

const changelog = z.array(
  z.strictObject({
    date: z.iso.date(),
    changes: z
      .array(
        z.strictObject({
          kind: z.enum(["added", "changed", "deprecated", "removed", "fixed"]),
          text: z.string().min(1),
        }),
      )
      .min(1),
  }),
);

test("docs/changelog.json has dated entries, the newest first", async () => {
  const path = new URL("../../../docs/changelog.json", import.meta.url);
  const dates = changelog.parse(JSON.parse(await readFile(path, "utf8"))).map(({ date }) => date);
  expect(dates).toEqual([...new Set(dates)].sort().reverse());
});
