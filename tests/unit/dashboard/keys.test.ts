import { expect, test } from "vitest";
import { expiresAtOf } from "../../../dashboard/src/keys/expiry.ts";

test("a key never expires only where that is chosen: a date that is missing is no expiry", () => {
  expect(expiresAtOf("never", "2027-01-31")).toBeNull();
  expect(expiresAtOf("date", "2027-01-31")).toBe(new Date("2027-01-31T23:59:59").toISOString());
  expect([expiresAtOf("date", ""), expiresAtOf("date", "12027-01-31")]).toEqual([undefined, undefined]);
  expect(Date.parse(expiresAtOf("30", "") ?? "")).toBeGreaterThan(Date.now() + 29 * 86_400_000);
});
