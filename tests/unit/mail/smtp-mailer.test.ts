import PostalMime from "postal-mime";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Mail } from "../../../functions/dispatch/mail/mailer.ts";
import { createSmtpMailer } from "../../../functions/dispatch/mail/smtp-mailer.ts";
import { type MailServer, openMailServer, type Refusal } from "../../support/mail-server.ts";

const sender = { name: "Kelp, Inc.", address: "digests@kelp.example" };
const mail: Mail = {
  messageId: "<one@kelp.example>",
  date: new Date("2026-11-20T12:00:00Z"),
  to: "ada@people.example",
  subject: "Größe",
  text: "Kelp\n.\nNursery",
  html: "<p>Kelp</p>",
  headers: { "List-Unsubscribe": `<https://api.example.org/${"x".repeat(120)}>` },
};

let server: MailServer;

beforeAll(async () => {
  server = await openMailServer();
});
beforeEach(() => {
  server.refusal = undefined;
  server.messages.length = 0;
  server.logins.length = 0;
});
afterAll(() => server.close());

const send = (url = server.url, timeoutMs = 5_000) => createSmtpMailer(new URL(url), sender).send(mail, timeoutMs);
const refuse = (refusal: Refusal) => {
  server.refusal = refusal;
};

describe("a mailer of an SMTP server", () => {
  test("sends a mail whole, after a login", async () => {
    expect(await send(server.url.replace("//", "//ada%40kelp:s%3Acret%20word@"))).toEqual({ outcome: "sent" });
    expect(server.logins).toEqual([{ user: "ada@kelp", password: "s:cret word" }]);
    expect(server.envelopes.at(-1)).toEqual({ from: sender.address, to: [mail.to] });
    const message = await PostalMime.parse(server.messages[0] ?? "");
    expect(message).toMatchObject({
      from: sender,
      to: [{ name: "", address: mail.to }],
      subject: mail.subject,
      messageId: mail.messageId,
      date: "2026-11-20T12:00:00.000Z",
    });
    expect(message.text?.trim()).toBe(mail.text);
    expect(message.headers.find(({ key }) => key === "list-unsubscribe")?.value).toBe(mail.headers["List-Unsubscribe"]);
  });

  test.each<[Refusal["step"], Refusal["answer"], string]>([
    // The login and the sender are the operator's to mend: they say nothing of this mail.
    ["auth", 535, "failed"],
    ["sender", 550, "failed"],
    ["sender", 451, "failed"],
    ["sender", "cut", "failed"],
    ["sender", "silence", "failed"],
    ["recipient", 550, "refused"],
    ["recipient", 450, "failed"],
    ["recipient", "cut", "failed"],
    ["message", 554, "refused"],
    ["message", 452, "failed"],
    ["message", "cut", "unknown"],
    ["message", "silence", "unknown"],
  ])("whose step %s is answered by %s: %s", async (step, answer, outcome) => {
    refuse({ step, answer });
    const url = step === "auth" ? server.url.replace("//", "//ada:secret@") : server.url;
    expect(await send(url, answer === "silence" ? 200 : 5_000)).toEqual({ outcome, message: expect.any(String) });
    expect(server.messages).toHaveLength(step === "message" ? 1 : 0);
  });

  test("sends nothing where no server is", async () => {
    const gone = await openMailServer();
    await gone.close();
    expect(await send(gone.url)).toMatchObject({ outcome: "failed" });
    expect(await send("smtp://mail.invalid:587")).toMatchObject({ outcome: "failed" });
  });

  test("sends by a server on this machine whose certificate nobody signed", async () => {
    const own = await openMailServer({ disabledCommands: [] });
    expect(await send(own.url)).toEqual({ outcome: "sent" });
    await own.close();
  });

  test("keeps the address out of what it says of a refusal", async () => {
    const strict = await openMailServer({
      onRcptTo: ({ address }, _session, done) =>
        done(Object.assign(new Error(`<${address}> unknown`), { responseCode: 550 })),
    });
    const { outcome, message } = (await send(strict.url)) as { outcome: string; message: string };
    expect([outcome, message]).toEqual(["refused", expect.stringContaining("<(the address)> unknown")]);
    expect(message).not.toContain(mail.to);
    await strict.close();
  });

  test.each([
    ["has no TLS", ["STARTTLS"]],
    ["has a certificate that nobody signed", []],
  ])("gives no password to another machine that %s", async (_name, disabledCommands) => {
    const other = await openMailServer({ disabledCommands });
    // This machine as well, which the mailer does not know.
    const url = other.url.replace("127.0.0.1", "ada:secret@0.0.0.0");
    expect(await send(url)).toMatchObject({ outcome: "failed" });
    expect(other.logins).toEqual([]);
    await other.close();
  });
});
