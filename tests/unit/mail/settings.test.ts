import { describe, expect, test } from "vitest";
import { createMailPlatform, type MailPlatformOptions } from "../../../functions/dispatch/mail/platform.ts";
import { createSmtpMailer } from "../../../functions/dispatch/mail/smtp-mailer.ts";
import { isPlainAddress, readSender } from "../../../shared/mail/sender.ts";

const whole = {
  MAIL_SMTP_URL: "smtps://ada:secret@mail.example",
  MAIL_FROM: "Kelp <digests@kelp.example>",
  PUBLIC_API_URL: "https://api.example.org/functions/v1/",
  DASHBOARD_URL: "https://funding.example.org",
};
const edge: MailPlatformOptions = { concurrency: 4, smtp: createSmtpMailer };

function platform(changes: Record<string, string | undefined>, options = edge) {
  const variables: Record<string, string | undefined> = { ...whole, ...changes };
  return createMailPlatform((name) => variables[name], options);
}

describe("the settings of a deployment's mail", () => {
  test("name a server or a service, a sender, and the addresses that mails link to", () => {
    const expected = {
      isSetUp: true,
      sender: { name: "Kelp", address: "digests@kelp.example" },
      apiUrl: "https://api.example.org/functions/v1",
      dashboardUrl: "https://funding.example.org",
    };
    expect(platform({})).toMatchObject(expected);
    const service = { MAIL_SMTP_URL: undefined, MAIL_HTTP_URL: "https://mail.example/emails" };
    expect(platform(service, { concurrency: 1 })).toMatchObject(expected);
  });

  test("may be left out, and then no mail is sent", () => {
    expect(platform({ MAIL_SMTP_URL: undefined })).toEqual({ isSetUp: false });
  });

  test.each([
    [{ MAIL_FROM: undefined }, "MAIL_FROM is not set"],
    [{ MAIL_SMTP_URL: undefined, MAIL_HTTP_URL: "https://api:key@mail.example/" }, "set MAIL_HTTP_TOKEN"],
    [{ MAIL_FROM: "Kelp" }, "MAIL_FROM must be an address"],
    [{ MAIL_SMTP_URL: "mail.example:587" }, "MAIL_SMTP_URL must be a URL that begins with smtp:// or smtps://"],
    [{ MAIL_SMTP_URL: "smtp://ada:100%@mail.example" }, "a % is %25"],
    [{ MAIL_HTTP_URL: "https://mail.example" }, "both set"],
    [{ MAIL_SMTP_URL: undefined, MAIL_HTTP_URL: "http://mail.example" }, "MAIL_HTTP_URL must be a URL that begins"],
    [{ PUBLIC_API_URL: undefined }, "PUBLIC_API_URL is not set"],
    [{ PUBLIC_API_URL: "http://api.example.org/functions/v1" }, "PUBLIC_API_URL must be a URL that begins with https"],
    [{ DASHBOARD_URL: "funding.example.org" }, "DASHBOARD_URL must be a URL"],
  ])("that are wrong are named: %j", (changes, fault) => {
    expect(platform(changes)).toEqual({ isSetUp: false, fault: expect.stringContaining(fault) });
  });

  test("name a service where there are no sockets", () => {
    expect(platform({}, { concurrency: 1 })).toMatchObject({ fault: expect.stringContaining("set MAIL_HTTP_URL") });
  });

  test("are not repeated, since they may have a password", () => {
    expect(JSON.stringify(platform({ MAIL_SMTP_URL: "ftp://ada:secret@mail.example" }))).not.toContain("secret");
  });
});

describe("an address", () => {
  test.each(["ada@people.example", "ada+kelp@people.example", "ada@xn--grn-ioa.example"])(
    "%s is a plain one",
    (text) => {
      expect(isPlainAddress(text)).toBe(true);
      expect(readSender(`"Kelp, Inc." <${text}>`)).toEqual({ name: "Kelp, Inc.", address: text });
    },
  );

  test.each([
    "ada",
    "ada@people.example, eve@people.example",
    "<ada@people.example>",
    "ada@people.example\r\nBcc: eve@people.example",
    '"ada b"@people.example',
    "ada@people.example@kelp.example",
    `${"a".repeat(65)}@people.example`,
  ])("%j is not", (text) => expect(isPlainAddress(text)).toBe(false));
});
