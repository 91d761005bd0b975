import type { Random } from "../../../local/demo/random.ts";

/** Text that has broken somebody's parser, database, log or terminal. Each is a JavaScript string. */
export const hostileTexts: readonly string[] = [
  "",
  " ",
  "\0",
  "a\0b",
  "\t\r\n\v\f",
  "\r\nX-Injected: yes\r\n\r\n",
  "-1",
  "+1",
  "1e3",
  "0x10",
  "١٢٣",
  "NaN",
  "Infinity",
  "9007199254740993",
  "99999999999999999999",
  "1".repeat(400),
  "0000-01-01",
  "2026-02-30",
  "2026-13-01",
  "9999-12-31T23:59:59.999999999-23:59",
  "0001-01-01T00:00:00+23:59",
  "+275760-09-13",
  "infinity",
  "true ",
  "TRUE",
  "null",
  "undefined",
  "__proto__",
  "constructor",
  "toString",
  "'",
  '"',
  "\\",
  "%",
  "_",
  "$1",
  "$$",
  "'; select pg_sleep(5); --",
  "' or '1'='1",
  "1; drop table funding.grants",
  "E'\\x27'",
  "(((((((((((((((",
  '"""',
  "a:*",
  "!a & (b | c) <-> d",
  "a <-> b <-> c",
  "<script>alert(1)</script>",
  "{{7*7}}#{7*7}",
  "../../../../etc/passwd",
  "file:///etc/passwd",
  "http://169.254.169.254/latest/meta-data/",
  "[1,2,3]",
  "{}",
  '{"$gt":""}',
  "%00%ff%c0%ae",
  "\u202e\ufeff\u200b\u2028\u2029",
  "\ud800",
  "\udc00x\ud800",
  "🏳️‍🌈👨‍👩‍👧‍👦",
  "z̷̨̡̛͖͍̫̮̲͎̜̦͗̓̑͊",
  "ﷺ".repeat(50),
  "İıſK",
  "ﬀﬁ①½",
  "日本語 水 المياه вода",
  "a ".repeat(2_000),
  "x".repeat(5_000),
  "🙂".repeat(3_990),
  "-water ".repeat(500),
  '"a" or '.repeat(500),
  "(?:a+)+$",
  "^.*$",
  "*",
  "kids' \"summer meals",
];

/** Any text of the whole of Unicode and what is outside it: lone surrogates, controls, unassigned. */
export function anyText(random: Random, longest = 40): string {
  const [first, last] = random.pick([
    [0x20, 0x7e],
    [0x00, 0x1f],
    [0x80, 0x24f],
    [0x590, 0x6ff],
    [0x4e00, 0x4eff],
    [0xd800, 0xdfff],
    [0x1f300, 0x1f6ff],
    [0x0, 0x10ffff],
  ] as const);
  let text = "";
  for (let left = random.integer(0, longest); left > 0; left--) {
    text += String.fromCodePoint(random.integer(first, last));
  }
  return text;
}

export function hostileText(random: Random): string {
  return random.chance(0.7) ? random.pick(hostileTexts) : anyText(random);
}

/** Any JSON value, rarely deep. */
export function anyJson(random: Random, depth = 2): unknown {
  if (depth > 0 && random.chance(0.3)) {
    const size = random.integer(0, 4);
    if (random.chance(0.5)) return Array.from({ length: size }, () => anyJson(random, depth - 1));
    return Object.fromEntries(
      Array.from({ length: size }, () => [hostileText(random).slice(0, 60), anyJson(random, depth - 1)]),
    );
  }
  return random.pick([
    null,
    true,
    false,
    0,
    -1,
    1.5,
    1e308,
    -0,
    2 ** 53,
    2 ** 31,
    hostileText(random),
    anyText(random),
    [],
    {},
  ]);
}
