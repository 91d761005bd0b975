import { expect, test } from "vitest";
import { agencyName, isSameAgency } from "../../../ingest/sources/agency-name.ts";
import { awardAmounts } from "../../../ingest/sources/award-amounts.ts";
import { performancePlace } from "../../../ingest/sources/performance-place.ts";
import { productServiceGroup } from "../../../ingest/sources/product-service-codes.ts";

test.each([
  ["LABOR, DEPARTMENT OF", "Department of Labor"],
  ["TREASURY, DEPARTMENT OF THE", "Department of the Treasury"],
  ["DEPT OF THE NAVY", "Department of the Navy"],
  ["DEFENSE ADVANCED RESEARCH PROJECTS AGENCY  (DARPA)", "Defense Advanced Research Projects Agency"],
  ["NATIVE HAWAIIAN RELATIONS (00023)", "Native Hawaiian Relations"],
  ["US COAST GUARD", "U.S. Coast Guard"],
  ["USDA, OFFICE OF THE CHIEF ECONOMIST", "USDA, Office of the Chief Economist"],
  ["OFFICE OF WORKERS' COMPENSATION", "Office of Workers' Compensation"],
  ["SENATE, THE", "The Senate"],
  ["USTRANSCOM", "USTRANSCOM"],
  ["U.S. Special Operations Command", "U.S. Special Operations Command"],
  ["Department of Defense (DOD)", "Department of Defense"],
])("the agency %s is called %s", (name, expected) => {
  expect(agencyName(name)).toBe(expected);
});

test("an office that other departments have as well is called by its department, too", () => {
  expect(agencyName("OFFICE OF THE SECRETARY", "COMMERCE, DEPARTMENT OF")).toBe(
    "Office of the Secretary, Department of Commerce",
  );
  expect(agencyName("ASSISTANT SECRETARY FOR HOUSING", "HOUSING AND URBAN DEVELOPMENT, DEPARTMENT OF")).toBe(
    "Assistant Secretary for Housing, Department of Housing and Urban Development",
  );
  expect(agencyName("OFFICE OF JUSTICE PROGRAMS", "JUSTICE, DEPARTMENT OF")).toBe("Office of Justice Programs");
  expect(agencyName("DRUG ENFORCEMENT ADMINISTRATION", "JUSTICE, DEPARTMENT OF")).toBe(
    "Drug Enforcement Administration",
  );
});

test("two spellings of an agency are one agency", () => {
  expect(isSameAgency("STATE, DEPARTMENT OF", "Department of State")).toBe(true);
  expect(isSameAgency("STATE, DEPARTMENT OF", "DEPT OF DEFENSE")).toBe(false);
});

test.each([
  ["AC12", "Research and Development"],
  ["DA01", "Information Technology and Telecommunications"],
  ["Z2AA", "Maintenance, Repair, or Alteration of Real Property"],
  ["1560", "Aircraft and Airframe Structural Components"],
  ["16", "Aircraft Components and Accessories"],
  ["7A21", "Information Technology Equipment, Software, and Supplies"],
  ["7110", "Furniture"],
  ["r", "Professional, Administrative, and Management Support Services"],
  ["9", undefined],
  ["AIRCRAFT", undefined],
  ["N/A", undefined],
  [undefined, undefined],
])("the product or service code %s is of the group %s", (code, expected) => {
  expect(productServiceGroup(code)).toBe(expected);
});

test("an award's amounts are a range, from which corrections of the books are left out", () => {
  expect(awardAmounts("200.50", "1,000")).toEqual({ amount_min: 200.5, amount_max: 1_000 });
  expect(awardAmounts(1_000, "200")).toEqual({ amount_min: 200, amount_max: 1_000 });
  expect(awardAmounts("500", "0.0", "-12", "", undefined, "unknown")).toEqual({ amount_min: 500, amount_max: 500 });
  expect(awardAmounts("0", "-0.01")).toEqual({});
});

test("a place without any value is undefined", () => {
  expect(performancePlace({ country: " ", state: "N/A" })).toBeUndefined();
  expect(performancePlace({ country: "US" })).toEqual({ is_national: true });
});
