import { expect, test } from "vitest";
import { expiresAtOf } from "../../../dashboard/src/keys/expiry.ts";
import { limitChangesOf } from "../../../dashboard/src/keys/limits.ts";

test("a key never expires only where that is chosen: a date that is missing is no expiry", () => {
  expect(expiresAtOf("never", "2027-01-31")).toBeNull();
  expect(expiresAtOf("date", "2027-01-31")).toBe(new Date("2027-01-31T23:59:59").toISOString());
  expect([expiresAtOf("date", ""), expiresAtOf("date", "12027-01-31")]).toEqual([undefined, undefined]);
  expect(Date.parse(expiresAtOf("30", "") ?? "")).toBeGreaterThan(Date.now() + 29 * 86_400_000);
});

test("of a key's limits, only those that were changed in the form are sent", () => {
  const opened = { datasets: ["grants"], quota: "1000", addresses: "127.0.0.1/32" };
  expect(limitChangesOf(opened, { ...opened, quota: "1,000", addresses: "127.0.0.1/32\n" })).toEqual({});
  expect(limitChangesOf(opened, { ...opened, quota: "" })).toEqual({ daily_quota: null });
  expect(limitChangesOf(opened, { ...opened, datasets: [], addresses: "10.0.0.0/8" })).toEqual({
    datasets: null,
    addresses: ["10.0.0.0/8"],
  });
});
