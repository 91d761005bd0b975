import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createHttpMailer } from "../../../functions/dispatch/mail/http-mailer.ts";
import type { Mail } from "../../../functions/dispatch/mail/mailer.ts";
import { openReceiver, type Receiver, status } from "../../webhooks/receiver.ts";

const mail: Mail = {
  messageId: "<one@kelp.example>",
  date: new Date(),
  to: "ada@people.example",
  subject: "Größe",
  text: "Kelp",
  html: "<p>Kelp</p>",
  headers: { "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" },
};

let service: Receiver;

beforeAll(async () => {
  service = await openReceiver();
});
beforeEach(() => {
  service.received.length = 0;
  service.answer = status(200);
});
afterAll(() => service.close());

function send(url = service.url, timeoutMs = 5_000) {
  const sender = { name: 'Kelp, "Inc."', address: "digests@kelp.example" };
  return createHttpMailer({ url: new URL(url), token: "token", sender }).send(mail, timeoutMs);
}

describe("a mailer over HTTP", () => {
  test("posts a mail as Resend and its like take it, with the same key for each attempt", async () => {
    expect(await send()).toEqual({ outcome: "sent" });
    expect(await send()).toEqual({ outcome: "sent" });
    const [first, second] = service.received;
    expect(first?.payload).toEqual({
      from: '"Kelp, \\"Inc.\\"" <digests@kelp.example>',
      to: [mail.to],
      subject: mail.subject,
      text: mail.text,
      html: mail.html,
      headers: mail.headers,
    });
    expect(first?.headers).toMatchObject({ authorization: "Bearer token", "content-type": "application/json" });
    expect(first?.headers["idempotency-key"]).toBe("one@kelp.example");
    expect(second?.headers["idempotency-key"]).toBe("one@kelp.example");
  });

  test.each([
    [202, "sent"],
    [301, "failed"],
    [400, "refused"],
    [401, "failed"],
    [404, "failed"],
    [409, "unknown"],
    [422, "refused"],
    [429, "busy"],
    [500, "unknown"],
    [503, "unknown"],
    [522, "unknown"],
    [525, "failed"],
  ])("that is answered with %i: %s", async (code, outcome) => {
    service.answer = status(code, { location: "https://elsewhere.example/" });
    expect(await send()).toMatchObject({ outcome });
  });

  test.each([
    [undefined, 1_000],
    ["7", 7_000],
    ["0", 100],
    ["86400", 60_000],
    ["Fri, 01 Jan 2100 00:00:00 GMT", 60_000],
    ["later", 1_000],
  ])("waits after a 429 with Retry-After %s for %d ms", async (after, waitMs) => {
    service.answer = status(429, after === undefined ? {} : { "retry-after": after });
    expect(await send()).toEqual({ outcome: "busy", message: "the mail service answered 429", waitMs });
  });

  test("does not know of a mail whose answer does not come", async () => {
    service.answer = () => undefined;
    expect(await send(service.url, 200)).toMatchObject({
      outcome: "unknown",
      message: expect.stringContaining("in time"),
    });
    service.answer = (_request, response) => response.destroy();
    expect(await send()).toMatchObject({ outcome: "unknown" });
  });

  test("knows that nothing was sent where no service is", async () => {
    // No service of these tests can have this port. One that a closed service had may be another's by now.
    expect(await send("http://127.0.0.1:2/")).toMatchObject({ outcome: "failed" });
  });
});
