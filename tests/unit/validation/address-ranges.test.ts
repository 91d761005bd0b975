import { describe, expect, test } from "vitest";
import { addressRanges } from "../../../shared/validation/address-ranges.ts";

const parse = (given: unknown) => addressRanges().safeParse(given);
/** The first error: where it is, and its words. */
function errorOf(given: unknown) {
  const issue = parse(given).error?.issues[0];
  return [issue?.path.join("."), issue?.message];
}

test.each([
  ["203.0.113.0/24", "203.0.113.0/24"],
  ["203.0.113.7", "203.0.113.7/32"],
  [" 203.0.113.7/32 ", "203.0.113.7/32"],
  ["0.0.0.0/0", "0.0.0.0/0"],
  ["2001:DB8:0::/32", "2001:db8::/32"],
  ["2001:db8::1", "2001:db8::1/128"],
  ["::/0", "::/0"],
  ["::1", "::1/128"],
  ["::ffff:203.0.113.7", "203.0.113.7/32"],
  ["::ffff:203.0.113.0/120", "203.0.113.0/24"],
  ["::ffff:0:0/96", "0.0.0.0/0"],
])("%j is the range %s", (given, range) => {
  expect(parse([given]).data).toEqual([range]);
});

test("a list has each range once, in its order", () => {
  expect(parse(["203.0.113.7", "::1", "203.0.113.7/32"]).data).toEqual(["203.0.113.7/32", "::1/128"]);
});

describe("a range with bits after its prefix is refused, with the range that is meant", () => {
  test.each([
    ["10.0.0.1/8", "10.0.0.0/8"],
    ["203.0.113.1/31", "203.0.113.0/31"],
    ["1.2.3.4/0", "0.0.0.0/0"],
    ["2001:db8::1/32", "2001:db8::/32"],
    ["::ffff:10.0.0.1/104", "10.0.0.0/8"],
    ["::ffff:10.0.0.1/95", "::fffe:0:0/95"],
  ])("%j: %s", (given, meant) => {
    expect(errorOf(["::1", given])).toEqual(["1", `must be ${meant}, the range that ${given} is in`]);
  });
});

const form = "must be an address range, such as 203.0.113.0/24 or 2001:db8::/32, or an address";
test.each([
  "",
  "example.org",
  "10.0.0.0/33",
  "10.0.0.0/-1",
  "10.0.0.0/",
  "10.0.0.0/8/8",
  "10.0.0.0/255.0.0.0",
  "10.0.0.0-10.0.0.255",
  "10.0.0",
  "10.0.0.00/8",
  "0x0a.0.0.0/8",
  "10.*",
  "2001:db8::/129",
  "2001:db8::%eth0/64",
  "[2001:db8::]/32",
  "2001:db8::/32, 10.0.0.0/8",
  7,
  null,
])("%j is no range", (given) => {
  expect(errorOf([given])).toEqual(["0", form]);
});

const listForm =
  "must be a list of 1 to 20 address ranges, such as 203.0.113.0/24 or 2001:db8::/32, or null for any address";
test.each([[[]], ["10.0.0.0/8"], [{ 0: "10.0.0.0/8" }], [Array.from({ length: 21 }, (_, last) => `10.0.0.${last}`)]])(
  "%j is no list of them",
  (given) => {
    expect(errorOf(given)).toEqual(["", listForm]);
  },
);
