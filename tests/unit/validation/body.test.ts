import { describe, expect, test } from "vitest";
import { maximumBodyBytes, readJsonBody } from "../../../shared/validation/body.ts";
import { maximumErrors } from "../../../shared/validation/errors.ts";
import { recoverBody, rotateBody, testBody, webhookBodies } from "../../../shared/webhooks/endpoint.ts";

const { create, update } = webhookBodies(true);
const bodies = { create, update, rotate: rotateBody, recover: recoverBody, test: testBody };

/** A body as long as may be sent: as many items as fit. */
function filled(item: (place: number) => string, start: string, end: string): string {
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
  "filters by unknown datasets": filled((place) => `"d${place}":""`, '{"filters":{', "}}"),
  "unknown members": filled((place) => `"m${place}":0`, "{", "}"),
  "unknown members that are nearly known": filled((place) => `"events${place}":0`, "{", "}"),
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
