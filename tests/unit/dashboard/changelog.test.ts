import { readdir, readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import * as z from "zod";
import { customFilters } from "../../../shared/catalogue/custom-filters.ts";
import { changeableFields } from "../../../shared/catalogue/fields.generated.ts";
import { presentation } from "../../../shared/catalogue/filters.ts";
import { facetNames, filterParameters } from "../../../shared/catalogue/parameters.ts";
import { datasets } from "../../../shared/datasets.ts";

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

const path = new URL("../../../docs/changelog.json", import.meta.url);

test("docs/changelog.json has dated entries, the newest first", async () => {
  const dates = changelog.parse(JSON.parse(await readFile(path, "utf8"))).map(({ date }) => date);
  expect(dates).toEqual([...new Set(dates)].sort().reverse());
});

test("docs/changelog.json names each parameter, field and filter that the last release did not have", async () => {
  const releases = new URL("../../upgrades/", import.meta.url);
  const versions = (await readdir(releases)).filter((name) => /^\d+\.\d+\.\d+$/.test(name));
  const last = versions.sort((one, other) => one.localeCompare(other, "en", { numeric: true })).at(-1);
  const released = await readFile(new URL(`${last}/functions.js`, releases), "utf8");
  const names = [
    ...datasets.flatMap((dataset) => [...Object.keys(filterParameters(dataset)), ...facetNames(dataset)]),
    ...presentation,
    ...changeableFields,
    ...Object.keys(customFilters),
  ];
  // Its functions are one file, minified: members keep their names.
  const added = [...new Set(names)].filter((name) => !new RegExp(`\\b${name}\\b`).test(released));
  const told = await readFile(path, "utf8");
  expect(added.length).toBeLessThan(names.length / 4);
  expect(added.filter((name) => !told.includes(`\`${name}\``))).toEqual([]);
});
