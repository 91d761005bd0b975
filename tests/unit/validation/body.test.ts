import { describe, expect, test } from "vitest";
import { z } from "zod";
import { recoverBody, rotateBody, testBody, webhookBodies } from "../../../functions/account-api/webhook-bodies.ts";
import { maximumErrors } from "../../../shared/http/problems.ts";
import { maximumBodyBytes, readJsonBody } from "../../../shared/validation/body.ts";

const { create, update } = webhookBodies(true);
const bodies = { create, update, rotate: rotateBody, recover: recoverBody, test: testBody };

/** A body as long as may be sent: as many items as fit. */
function filled(item: (index: number) => string, start: string, end: string): string {
  const items: string[] = [];
  for (let length = start.length + end.length; ; ) {
    const next = item(items.length);
    length += next.length + 1;
    if (length > maximumBodyBytes) return `${start}${items.join(",")}${end}`;
    items.push(next);
  }
}

const largest = {
  "events that are numbers": filled(() => "0", '{"events":[', "]}"),
  "one event again and again": filled(() => '"grant.created"', '{"events":[', "]}"),
  "deadline_days that are text": filled(() => '""', '{"deadline_days":[', "]}"),
  "filters by unknown datasets": filled((index) => `"d${index}":""`, '{"filters":{', "}}"),
  "unknown members": filled((index) => `"m${index}":0`, "{", "}"),
  "unknown members that are nearly known": filled((index) => `"events${index}":0`, "{", "}"),
};

describe("a body as large as may be sent", () => {
  for (const [what, text] of Object.entries(largest)) {
    test.each(Object.entries(bodies))(`of ${what} has a short answer: %s`, async (_name, body) => {
      const headers = { "content-type": "application/json" };
      const outcome = await readJsonBody(
        new Request("http://api.example/", { method: "POST", headers, body: text }),
        body as typeof create,
      );
      if (outcome.ok) throw new Error("it was taken");
      const { errors = [] } = outcome.problem;
      expect(errors.length).toBeGreaterThan(0);
      expect(errors.length).toBeLessThanOrEqual(maximumErrors);
      expect(JSON.stringify(outcome.problem).length).toBeLessThan(16 * 1024);
    });
  }

  test("with a list of too many items is refused for its length, not for each item", async () => {
    for (const [field, item] of [
      ["events", "0"],
      ["deadline_days", '""'],
    ] as const) {
      const text = filled(() => item, `{"${field}":[`, "]}");
      const headers = { "content-type": "application/json" };
      const request = new Request("http://api.example/", { method: "PATCH", headers, body: text });
      expect(await readJsonBody(request, update)).toMatchObject({
        ok: false,
        problem: { errors: [{ parameter: field, message: "must have at most 100 items" }] },
      });
    }
  });
});

describe("a JSON body", () => {
  const address = "http://api.example/";
  const json = { "content-type": "application/json" };
  const body = { names: ["events"], schema: z.object({ events: z.array(z.string()) }) };
  const read = (text: BodyInit | null, headers: Record<string, string> = json) =>
    readJsonBody(new Request(address, { method: "POST", headers, body: text, duplex: "half" } as RequestInit), body);
  const refusal = async (text: BodyInit | null, headers?: Record<string, string>) => {
    const outcome = await read(text, headers);
    return outcome.ok ? undefined : outcome.problem.name;
  };
  /** A body of exactly so many bytes. */
  const ofBytes = (bytes: number) => `{"events":["${"x".repeat(bytes - '{"events":[""]}'.length)}"]}`;
  /** Parts that no Content-Length announces. */
  const streamed = (...parts: (string | Uint8Array)[]) =>
    new ReadableStream({
      start(controller) {
        for (const part of parts) controller.enqueue(typeof part === "string" ? new TextEncoder().encode(part) : part);
        controller.close();
      },
    });

  test("has 65,536 bytes at most, announced or not", async () => {
    expect(maximumBodyBytes).toBe(65_536);
    expect(await read(ofBytes(65_536))).toMatchObject({ ok: true });
    expect(await read(streamed(ofBytes(65_536)))).toMatchObject({ ok: true });
    expect(await refusal(ofBytes(65_537))).toBe("body-too-large");
    expect(await refusal(streamed(ofBytes(40_000), ofBytes(25_537)))).toBe("body-too-large");
    expect(await refusal(ofBytes(20), { ...json, "content-length": "65537" })).toBe("body-too-large");
    expect(await read(ofBytes(20), { ...json, "content-length": "65536" })).toMatchObject({ ok: true });
  });

  test("may come in parts that cut a character", async () => {
    const bytes = new TextEncoder().encode('{"events":["é"]}');
    const cut = bytes.indexOf(0xc3) + 1;
    expect(await read(streamed(bytes.slice(0, cut), bytes.slice(cut)))).toEqual({
      ok: true,
      value: { events: ["é"] },
    });
    expect(await refusal(streamed(bytes.slice(0, cut)))).toBe("invalid-body");
    expect(await refusal(bytes.with(cut, 0xff))).toBe("invalid-body");
  });

  test.each(["application/json", "Application/JSON; charset=utf-8", 'application/json;charset="UTF-8"'])(
    "may have the content type %s",
    async (type) => expect(await read('{"events":[]}', { "content-type": type })).toMatchObject({ ok: true }),
  );

  test.each([
    ["text/plain"],
    ["application/json; charset=latin1"],
    ['application/json; charset="utf-8'],
    ["application/jsonp"],
    [""],
  ])("may not have the content type %j", async (type) => {
    expect(await refusal('{"events":[]}', { "content-type": type })).toBe("unsupported-media-type");
  });

  test("may not be without a content type, or compressed", async () => {
    expect(await refusal(streamed('{"events":[]}'), {})).toBe("unsupported-media-type");
    expect(await refusal('{"events":[]}', { ...json, "content-encoding": "gzip" })).toBe("unsupported-media-type");
    expect(await read('{"events":[]}', { ...json, "content-encoding": "identity" })).toMatchObject({ ok: true });
  });

  test.each([null, "", "{", "null", "5", '"text"', "[]", "true"])("%j is no JSON object", async (text) => {
    expect(await refusal(text)).toBe("invalid-body");
  });

  test("may have a list of 100 items, and not of 101", async () => {
    const listOf = (items: number) => JSON.stringify({ events: Array.from({ length: items }, () => "x") });
    expect(await read(listOf(100))).toMatchObject({ ok: true });
    expect(await read(listOf(101))).toMatchObject({ ok: false, problem: { errors: [{ parameter: "events" }] } });
  });

  test("says that a member is required where it is missing, and only there", async () => {
    const messageFor = async (text: string) => {
      const outcome = await read(text);
      return outcome.ok ? [] : outcome.problem.errors?.map(({ parameter, message }) => `${parameter} ${message}`);
    };
    expect(await messageFor("{}")).toEqual([expect.stringMatching(/^events is required and /)]);
    expect(await messageFor('{"events":5}')).toEqual([expect.not.stringContaining("required")]);
    expect(await messageFor('{"events":["a",5]}')).toEqual([expect.stringMatching(/^events\.1 (?!is required)/)]);
  });

  test("with an unknown member is refused by its name, even if the rest is right", async () => {
    const nearly = await read('{"events":[],"event":1}');
    expect(nearly).toMatchObject({
      ok: false,
      problem: {
        name: "invalid-parameters",
        errors: [{ parameter: "event", message: expect.stringContaining("did you mean events?") }],
      },
    });
    const other = await read('{"zzz":1}');
    expect(other.ok ? [] : other.problem.errors?.map(({ parameter }) => parameter)).toEqual(["zzz", "events"]);
  });
});

describe("the Content-Type of a body", () => {
  const read = (contentType: string, text = '{"name":"a"}') =>
    readJsonBody(
      new Request("http://api.example/", { method: "POST", headers: { "content-type": contentType }, body: text }),
      { names: ["name", "state"], schema: z.strictObject({ name: z.string() }) },
    );
  const detail = async (outcome: ReturnType<typeof read>) => {
    const read = await outcome;
    return read.ok ? "taken" : read.problem.detail;
  };

  test.each([
    "application/json",
    "Application/JSON",
    "application/json; charset=utf-8",
    'application/json;charset="UTF-8"',
  ])("may be %s", async (contentType) => {
    expect(await read(contentType)).toEqual({ ok: true, value: { name: "a" } });
  });
  test.each([
    "text/plain",
    "text/x-application/json",
    "application/json; charset=utf-8x",
    "application/json; charset=latin1",
    "application/jsonp",
  ])("may not be %s", async (contentType) => {
    expect(await detail(read(contentType))).toBe("The Content-Type must be application/json, in UTF-8.");
  });
  test("what is no JSON, or no object, is told", async () => {
    expect(await detail(read("application/json", "{"))).toBe("The body is not valid JSON.");
    for (const text of ["[]", "null", "1", '"name"']) {
      expect(await detail(read("application/json", text))).toBe("The body must be a JSON object with name, state.");
    }
  });
  test("an unknown field is named, with the one that was meant or all", async () => {
    const outcome = await read("application/json", '{"name":"a","nmae":1,"something":2}');
    if (outcome.ok) throw new Error("it was taken");
    expect(outcome.problem.errors).toEqual([
      { parameter: "nmae", message: "is not a field of this body; did you mean name?" },
      { parameter: "something", message: "is not a field of this body; it takes name, state" },
    ]);
  });
});
