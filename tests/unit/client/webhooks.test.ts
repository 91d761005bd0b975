import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import {
  verifySignatureHeader,
  verifyWebhook,
  WebhookVerificationError,
} from "../../../packages/client/src/webhooks/index.ts";

const secret = `whsec_${Buffer.from("a secret of thirty-two bytes !!!").toString("base64")}`;
const other = `whsec_${Buffer.from("another one, of thirty-two bytes").toString("base64")}`;
const body =
  '{"id":"8f14e45f-ceea-467f-a0e6-f3b0c44298f0","event":"funder.created","created_at":"2026-11-20T16:43:31.250Z","data":{"name":"Ümlaut"}}';
const now = new Date("2026-11-20T16:45:00Z");
const seconds = now.getTime() / 1000;

/** By the texts of the contract and of Standard Webhooks, with Node's own cryptography. */
function headersOf({ key = secret, text = body, id = "event-1", at = seconds } = {}) {
  const bytes = Buffer.from(key.slice("whsec_".length), "base64");
  return {
    "X-Service-Signature": `sha256=${createHmac("sha256", key).update(text).digest("hex")}`,
    "webhook-id": id,
    "webhook-timestamp": String(at),
    "webhook-signature": `v1,${createHmac("sha256", bytes).update(`${id}.${at}.${text}`).digest("base64")}`,
  };
}

const refused = (verified: Promise<unknown>) => expect(verified).rejects.toBeInstanceOf(WebhookVerificationError);

describe("verifyWebhook", () => {
  const verify = (headers: Record<string, string>, text = body) =>
    verifyWebhook({ body: text, headers, secret }, { now });

  test("gives the event of a delivery", async () => {
    expect(await verify(headersOf())).toEqual(JSON.parse(body));
  });

  test("agrees with the example of Standard Webhooks' specification", async () => {
    const delivery = {
      body: '{"test": 2432232314}',
      headers: {
        "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
        "webhook-timestamp": "1614265330",
        "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
      },
      secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    };
    expect(await verifyWebhook(delivery, { now: new Date(1614265330_000) })).toEqual({ test: 2432232314 });
  });

  test.each([-300, 300])("takes a delivery that is %i s from now", async (distance) => {
    await verify(headersOf({ at: seconds + distance }));
  });

  test.each([-301, 301])("refuses one that is %i s from now", async (distance) => {
    await refused(verify(headersOf({ at: seconds + distance })));
  });

  test("takes fetch's headers, Node's, and bytes", async () => {
    const source = { body: new TextEncoder().encode(body), secret };
    await verifyWebhook({ ...source, headers: new Headers(headersOf()) }, { now });
    const lower = Object.fromEntries(Object.entries(headersOf()).map(([name, value]) => [name.toLowerCase(), value]));
    await verifyWebhook({ ...source, headers: lower }, { now });
  });

  test("takes headers of another implementation, and a header that is called get", async () => {
    const entries = new Map(Object.entries(headersOf()));
    const headers = { get: (name: string) => entries.get(name.toLowerCase()) ?? null };
    await verifyWebhook({ body, headers, secret }, { now });
    await verify({ ...headersOf(), get: "a header" });
  });

  test("takes either signature of a rotation, with either secret", async () => {
    const both = {
      ...headersOf(),
      "webhook-signature": `v1a,AAAA ${headersOf({ key: other })["webhook-signature"]} ${headersOf()["webhook-signature"]}`,
    };
    for (const known of [secret, other, [secret, other]]) {
      await verifyWebhook({ body, headers: both, secret: known }, { now });
    }
  });

  test.each<{ what: string; headers: Record<string, string>; text?: string }>([
    { what: "another body", headers: headersOf(), text: body.replace("created", "updated") },
    { what: "another key", headers: headersOf({ key: other }) },
    { what: "another id", headers: { ...headersOf(), "webhook-id": "event-2" } },
    { what: "another time", headers: { ...headersOf(), "webhook-timestamp": String(seconds - 1) } },
    { what: "a time that is no number", headers: { ...headersOf(), "webhook-timestamp": "now" } },
    { what: "no time", headers: { ...headersOf(), "webhook-timestamp": "" } },
    { what: "no signature", headers: { ...headersOf(), "webhook-signature": "" } },
    { what: "an empty signature", headers: { ...headersOf(), "webhook-signature": "v1," } },
    {
      what: "a signature cut short",
      headers: { ...headersOf(), "webhook-signature": headersOf()["webhook-signature"].slice(0, -8) },
    },
    { what: "a signature that is no base64", headers: { ...headersOf(), "webhook-signature": "v1,%%%" } },
    {
      what: "a signature of another version",
      headers: { ...headersOf(), "webhook-signature": headersOf()["webhook-signature"].replace("v1", "v2") },
    },
    { what: "X-Service-Signature alone", headers: { "X-Service-Signature": headersOf()["X-Service-Signature"] } },
  ])("refuses $what", async ({ headers, text }) => {
    await refused(verify(headers, text));
  });

  test("will not work with an empty secret", async () => {
    for (const empty of ["", []]) {
      await expect(verifyWebhook({ body, headers: headersOf(), secret: empty }, { now })).rejects.toThrow(TypeError);
    }
  });
});

describe("verifySignatureHeader", () => {
  const verify = (value: string, text = body) =>
    verifySignatureHeader({ body: text, headers: { "x-service-signature": value }, secret });
  const right = headersOf()["X-Service-Signature"];

  test("gives the event of a delivery", async () => {
    expect(await verify(right)).toEqual(JSON.parse(body));
  });

  test("reads the header that the operator named", async () => {
    const headers = { "X-Funding-Signature": right };
    expect(await verifySignatureHeader({ body, headers, secret }, "X-Funding-Signature")).toEqual(JSON.parse(body));
  });

  test.each([
    { what: "another body's", value: headersOf({ text: "{}" })["X-Service-Signature"] },
    { what: "another key's", value: headersOf({ key: other })["X-Service-Signature"] },
    { what: "one cut short", value: right.slice(0, -2) },
    { what: "one in upper case", value: right.toUpperCase() },
    { what: "one without its algorithm", value: right.replace("sha256=", "") },
    { what: "an empty one", value: "" },
  ])("refuses $what", async ({ value }) => {
    await refused(verify(value));
  });
});
