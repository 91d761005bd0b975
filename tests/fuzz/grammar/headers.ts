import type { Random } from "../../../local/demo/random.ts";
import { hostileText } from "./hostile.ts";

/** Header lines that a request gets beside its own, and whether an HTTP library may refuse them by itself. */
export interface OddHeaders {
  lines: string[];
  isStrange: boolean;
}

const harmless = (random: Random): string[] =>
  random.pick([
    [
      `X-Request-Id: ${random.pick(["abc-123", "x".repeat(128), "x".repeat(129), "a b", "<script>", "%0d%0aX-Injected: yes", ""])}`,
    ],
    [
      `Accept: ${random.pick(["*/*", "text/csv", "text/html", "application/json;q=0", "text/csv;q=1.5, */*;q=abc", ",,,;;q=", "a/b,".repeat(500)])}`,
    ],
    [
      `Origin: ${random.pick(["null", "https://evil.example", "x", "https://a\tb", ""])}`,
      "Access-Control-Request-Method: POST",
    ],
    [`If-None-Match: ${random.pick(["*", '"x"', 'W/"x"', ",,,", '"'.repeat(500), `${'"a",'.repeat(800)}"b"`])}`],
    [`Accept-Encoding: ${random.pick(["gzip", "br", "deflate", "identity;q=0", "*;q=0", "gzip;q=9"])}`],
    [
      "X-Forwarded-For: 127.0.0.1",
      "X-Forwarded-Host: evil.example",
      "X-Original-URL: /admin",
      "X-HTTP-Method-Override: DELETE",
    ],
    ["Range: bytes=0-5,7-9", "If-Range: x"],
    ["Cookie: a=b; sb-access-token=x", "Accept-Language: xx-🙂".replace("🙂", "yy")],
    ["apikey: embedded", "Prefer: return=minimal", "Content-Profile: funding", "Accept-Profile: funding"],
    ["MCP-Protocol-Version: 1999-01-01", "Mcp-Session-Id: x", "Last-Event-ID: 5"],
    Array.from({ length: 60 }, (_, index) => `X-Many-${index}: ${index}`),
    [`X-Long: ${"y".repeat(random.pick([1_000, 8_000]))}`],
    ["Content-Encoding: gzip"],
    [
      `Content-Type: ${random.pick(["text/plain", "application/json; charset=utf-16", "application/json;", 'application/JSON ; charset="UTF-8"', "multipart/form-data; boundary=x", ","])}`,
    ],
    ["Expect: 100-continue"],
    ["Expect: nonsense"],
  ]);

const strange = (random: Random): string[] =>
  random.pick([
    [`X-Latin: ${Buffer.from(hostileText(random).replaceAll(/[\r\n\0]/g, ""), "utf8").toString("latin1")}`],
    [
      `Authorization: Bearer ${Buffer.from(hostileText(random).replaceAll(/[\r\n\0]/g, ""), "utf8").toString("latin1")}`,
    ],
    [`X-Long: ${"y".repeat(random.pick([70_000, 500_000]))}`],
    Array.from({ length: random.pick([101, 2_000]) }, (_, index) => `X-Many-${index}: ${index}`),
    ["Host: second.example"],
    [`Host: ${random.pick(["", "a b", "///", "[::1", "x:99999", "evil.example/x?y#z", "xn--\u00ff"])}`],
    ["No colon here"],
    [": no name"],
    ["X Space: 1"],
    ["X-Nul: a\0b"],
    ["X-Bell: a\x07b"],
    [" folded: 1"],
    ["Content-Length: 5", "Content-Length: 7"],
    ["Content-Length: -1"],
    ["Content-Length: 99999999999999999999"],
    ["Content-Length: 0x10"],
    ["Transfer-Encoding: chunked", "Content-Length: 3"],
    ["Transfer-Encoding: gzip, chunked"],
    ["Transfer-Encoding: xchunked"],
    ["Connection: close, Authorization"],
    ["Trailer: Authorization", "TE: trailers"],
    ["Connection: keep-alive, Upgrade", "Upgrade: websocket", "Sec-WebSocket-Key: x", "Sec-WebSocket-Version: 13"],
    ["Upgrade: h2c", "Connection: Upgrade, HTTP2-Settings", "HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA"],
  ]);

export function oddHeaders(random: Random): OddHeaders {
  const how = random.next();
  if (how < 0.75) return { lines: [], isStrange: false };
  if (how < 0.93) return { lines: harmless(random), isStrange: false };
  return { lines: strange(random), isStrange: true };
}

/** Header lines with the key or token: mostly right, else every kind of wrong, or none. */
export function authorizationFor(random: Random, right: string, others: readonly string[]): string[] {
  const value = authorizationValue(random, right, others);
  return value === none ? [] : [`Authorization: ${value}`];
}

const none = "(none)";

function authorizationValue(random: Random, right: string, others: readonly string[]): string {
  const how = random.next();
  if (how < 0.82) return `Bearer ${right}`;
  if (how < 0.88) return `Bearer ${random.pick(others)}`;
  return random.pick([
    none,
    "",
    "Bearer",
    "Bearer ",
    `bearer   ${right}  `,
    `Bearer ${right}x`,
    `Bearer ${right.slice(0, -1)}`,
    `Bearer ${right} ${right}`,
    `Basic ${btoa(`x:${right}`)}`,
    `Bearer ${right}, Bearer ${right}`,
    `Bearer fo_live_${"a".repeat(38)}`,
    `Bearer ${"a".repeat(7_000)}`,
    "Bearer ey.ey.ey",
    `Bearer eyJhbGciOiJub25lIn0.${btoa('{"sub":"x","role":"service_role"}')}.`,
    "Bearer ' or 1=1 --",
    `Token ${right}`,
  ]);
}
