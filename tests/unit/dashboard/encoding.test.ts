import { expect, test } from "vitest";
import { chooseEncoding } from "../../../local/dashboard/encoding.ts";

const both = new Set(["br", "gzip"] as const);

test.each([
  [null, undefined],
  ["", undefined],
  ["identity", undefined],
  ["gzip", "gzip"],
  ["gzip, deflate", "gzip"],
  ["gzip, deflate, br, zstd", "br"],
  ["BR", "br"],
  ["*", "br"],
  ["br;q=0, *", "gzip"],
  ["br;q=0.5, gzip;q=0.8", "gzip"],
  ["br; q=0.8, gzip; q=0.8", "br"],
  ["br;q=0, gzip;q=0", undefined],
  ["identity;q=1, gzip;q=0.5", undefined],
  ["gzip;q=much", undefined],
  ["zstd", undefined],
])("a client that accepts %o gets %o", (accepted, expected) => {
  expect(chooseEncoding(accepted, both)).toBe(expected);
});

test("a file that is kept in one encoding is sent in no other", () => {
  expect(chooseEncoding("gzip, br", new Set(["gzip"] as const))).toBe("gzip");
  expect(chooseEncoding("gzip", new Set(["br"] as const))).toBeUndefined();
  expect(chooseEncoding("gzip, br", new Set())).toBeUndefined();
});
