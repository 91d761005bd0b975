import { expect, test } from "vitest";
import { genericMapping } from "../../../ingest/sources/generic.ts";
import { isNoRecord } from "../../../ingest/sources/source.ts";

test.each([
  ["fullParentPathName", "DEPT OF DEFENSE.DEPT OF THE ARMY.AMC.ACC", "Department of the Army"],
  [
    "fullParentPathName",
    "GENERAL SERVICES ADMINISTRATION.PUBLIC BUILDINGS SERVICE.PBS R00",
    "Public Buildings Service",
  ],
  ["agency", "LABOR, DEPARTMENT OF.BUREAU OF LABOR STATISTICS", "Bureau of Labor Statistics"],
  ["agency", "ST.LOUIS COUNTY", "ST.LOUIS COUNTY"],
  ["agency", "example.org Foundation", "example.org Foundation"],
  ["agency", "Department of Parks.Trails", "Department of Parks.Trails"],
])("a funder from %s, %s, is %s", (column, value, name) => {
  const row = { title: "T", [column]: value };
  const mapped = genericMapping(
    { dataset: "grants", maps: [`funder=${column}`], sets: [], pads: [] },
    "test",
  )([row]).map(row);
  if (isNoRecord(mapped)) throw new Error(mapped.reason);
  expect(mapped[0]?.values.get("funder_name")).toEqual([name]);
});
