import { beforeAll, describe, expect, test } from "vitest";
import { federalOrganizations } from "../../../../ingest/sources/federal-organizations.ts";
import { recordIn } from "../source-records.ts";
import { type ImportedFile, importSourceFile } from "./imported-file.ts";

describe("federal-organizations: SAM.gov's hierarchy", () => {
  let file: ImportedFile;
  beforeAll(async () => {
    file = await importSourceFile(federalOrganizations, "federal-organizations.json");
  });
  const funder = (key: number) => file.funders.get(String(990_000_000 + key));

  test("every organization is a funder, unless it is inactive or listed again within itself", () => {
    expect({ read: file.read, funders: file.funders.size }).toEqual({ read: 11, funders: 7 });
    expect(file.rejected).toEqual([
      { source_id: "990000004", reason: "is Department of Lakes itself, listed again within it" },
      { source_id: "990000005", reason: "is Department of Lakes itself, listed again within it" },
      { source_id: "990000006", reason: "is inactive since 2018-09-18" },
      { source_id: "990000007", reason: "is inactive" },
    ]);
  });

  test("an organization fills every field", () => {
    expect(funder(2)).toEqual({
      source: "federal-organizations",
      source_id: "990000002",
      name: "Bureau of Invented Statistics",
      website: null,
      summary:
        "The Bureau counts lakes.  It publishes what it counts. \n\nIt was made up for tests.\n\nPart of: Department of Lakes\nAbbreviation: BIS",
      created_at: "1996-07-30T04:00:00.000Z",
    });
  });

  test("names are as people write them, and a description that repeats the name is left out", () => {
    expect(funder(1)).toMatchObject({ name: "Department of Lakes", summary: "Abbreviation: DOL" });
    expect(funder(3)?.name).toBe("Office of the Secretary, Department of Lakes");
    expect(funder(8)).toMatchObject({
      name: "Defense Lakes Agency",
      summary: "Part of: Department of Defense\nAbbreviation: DLX",
    });
    expect(funder(9)?.name).toBe("Department of the Rivers");
    expect(funder(10)).toMatchObject({ name: "National Endowment for U.S. Boats", summary: "Boats of every kind." });
    expect(funder(11)).toMatchObject({ name: "Commission on Piers", created_at: null });
  });
});

test("federal-organizations: the points of U.S. divide no path", async () => {
  const funderIn = (members: object) =>
    recordIn(federalOrganizations, "funders", JSON.stringify([{ orgKey: 1, modStatus: "ACTIVE", ...members }]));
  const name = "U.S. INTERNATIONAL DEVELOPMENT FINANCE CORPORATION";
  expect((await funderIn({ name, fullParentPathName: name })).summary).toBeNull();
  const office = { name: "OFFICE OF THE SECRETARY", fullParentPathName: `${name}.OFFICE OF THE SECRETARY` };
  expect(await funderIn(office)).toMatchObject({
    name: "Office of the Secretary, U.S. International Development Finance Corporation",
    summary: "Part of: U.S. International Development Finance Corporation",
  });
});
