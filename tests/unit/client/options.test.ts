import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createFundingClient } from "../../../packages/client/src/index.ts";

const apiKey = "fo_live_0123456789abcdefghijklmnopqrstuvwxyzAB";
const baseUrl = "https://api.example.org/functions/v1";

/** As a caller without types may write it. */
const create = (options: object) => createFundingClient(options as Parameters<typeof createFundingClient>[0]);

describe("createFundingClient fails at once, and names baseUrl and what was expected", () => {
  const unusable: [what: string, value: unknown][] = [
    ["missing", undefined],
    ["null", null],
    ["empty", ""],
    ["space", "  "],
    ["a path", "/functions/v1"],
    ["an address without its scheme", "api.example.org/functions/v1"],
    ["a host and a port", "localhost:54321/functions/v1"],
    ["another scheme", "ftp://api.example.org/functions/v1"],
    ["a file", "file:///functions/v1"],
    ["a scheme alone", "https://"],
    ["with a user", "https://user:secret@api.example.org/functions/v1"],
    ["with a query", "https://api.example.org/functions/v1?key=1"],
    ["with a fragment", "https://api.example.org/functions/v1#top"],
    ["a number", 54321],
    ["an object", new URL(baseUrl)],
  ];
  test.each(unusable)("%s", (_, value) => {
    expect(() => create({ baseUrl: value, apiKey })).toThrow(TypeError);
    expect(() => create({ baseUrl: value, apiKey })).toThrow(
      /^createFundingClient: baseUrl .+; expected .+https:\/\/api\.example\.org\/functions\/v1$/,
    );
  });

  test("whatever text it is, if no request could be sent there", () => {
    const sendable = (text: string) => {
      const url = URL.canParse(text) ? new URL(text) : undefined;
      return url !== undefined && ["http:", "https:"].includes(url.protocol);
    };
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.webUrl(), fc.domain()), (text) => {
        if (sendable(text)) return;
        expect(() => create({ baseUrl: text, apiKey })).toThrow(/baseUrl/);
      }),
    );
  });
});

test.each([
  ["missing", undefined],
  ["empty", ""],
  ["space", " "],
  ["with a line break", "fo_live_a\nb"],
  ["a number", 7],
])("createFundingClient fails at once when apiKey is %s, and does not repeat it", (_, value) => {
  expect(() => create({ baseUrl, apiKey: value })).toThrow(/^createFundingClient: apiKey .+; expected an API key/);
  expect(() => create({ baseUrl, apiKey: value })).not.toThrow("fo_live_a");
});

test.each([baseUrl, `${baseUrl}/`, `${baseUrl}//`, ` ${baseUrl}\n`, "http://127.0.0.1:54321/functions/v1"])(
  "%j is an address, and requests go to its paths",
  async (address) => {
    const sent: Request[] = [];
    const send: typeof fetch = async (input) => {
      sent.push(input as Request);
      return Response.json({ total: 7 });
    };
    expect(await createFundingClient({ baseUrl: address, apiKey: ` ${apiKey} `, fetch: send }).grants.count()).toBe(7);
    expect(sent[0]?.url).toBe(`${address.trim().replace(/\/+$/, "")}/grants-api?count_only=true`);
    expect(sent[0]?.headers.get("authorization")).toBe(`Bearer ${apiKey}`);
  },
);
