import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import PostalMime, { type Email } from "postal-mime";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { dispatch } from "../../functions/dispatch/dispatcher.ts";
import { createEmbeddedMail } from "../../local/embedded/mail.ts";
import { createLog } from "../../shared/log/log.ts";
import { type SavedSearch, savedSearch, savedSearchList } from "../../shared/responses/account/saved-searches.ts";
import { openMailServer } from "../support/mail-server.ts";
import type { Person } from "../support/people.ts";
import { openTestService, type TestService } from "../support/service.ts";
import { setWallClock } from "../support/wall-clock.ts";
import { openReceiver } from "../webhooks/receiver.ts";
import { grant, SavedSearches } from "./service.ts";

const apiUrl = "https://api.example.org/functions/v1";
const addresses: Record<string, string> = {
  PUBLIC_API_URL: apiUrl,
  DASHBOARD_URL: "https://funding.example.org/",
  MAIL_FROM: "Kelp, Inc. <digests@kelp.example>",
};
const lines: string[] = [];
let folder: string;
let service: TestService;
let searches: SavedSearches;
let ada: Person;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "funding-digests-"));
  const mail = createEmbeddedMail(folder, "http://127.0.0.1:1", (name) => addresses[name]);
  const log = createLog({ variable: () => undefined, level: "debug", print: (_level, line) => lines.push(line) });
  service = await openTestService(undefined, log, mail);
  searches = new SavedSearches(service);
});
beforeEach(async () => {
  ada = await searches.client.newSubscriber();
});
afterEach(async () => {
  await setClock(0);
  await service.connection.execute("delete from funding.digests");
  await rm(join(folder, "mail"), { recursive: true, force: true });
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

interface Refusal {
  detail: string;
  errors: { parameter: string; message: string }[];
}

const daily = { frequency: "daily", hour: 8, time_zone: "America/New_York" };

function setDigest(id: string, digest: object | null, person = ada): Promise<SavedSearch> {
  return searches.ask(person, "PATCH", `/saved-searches/${id}`, { digest });
}

/** Moves the server's clock, by so many days from the true time. */
async function setClock(days: number): Promise<void> {
  await setWallClock(service.connection, `clock_timestamp() + interval '${days} days'`);
  await service.connection.execute("select funding.confirm_clock()");
}

/** Lets time pass for the dispatcher, as it would if it had been running. */
async function passTime(interval: string): Promise<void> {
  await service.connection.execute(
    `update funding.dispatch_clock set dispatch_time = dispatch_time + interval '${interval}'`,
  );
}

const run = () => dispatch({ ...service.runtime, budgetMs: 20_000 });

/** The mails in the folder, in their order, read by a parser of mails. */
async function mails(): Promise<Email[]> {
  const names = await readdir(join(folder, "mail")).catch(() => []);
  return Promise.all(names.sort().map(async (name) => PostalMime.parse(await readFile(join(folder, "mail", name)))));
}

/** Sends the digest of a search that a record came for. */
async function sendOne(id: string, record = grant(crypto.randomUUID())): Promise<Email> {
  await setDigest(id, daily);
  await searches.load("grants", record);
  await setClock(1);
  await run();
  const [mail, ...others] = await mails();
  expect(others).toEqual([]);
  return mail as Email;
}

const header = (mail: Email, key: string) => mail.headers.find((each) => each.key === key)?.value;
const linkOf = (mail: Email) => header(mail, "list-unsubscribe")?.slice(1, -1) ?? "";
/** Sends a request to the link of a mail, as anybody can who has it. */
const follow = (link: string, init?: RequestInit) => service.fetch(link.slice(apiUrl.length), init);

describe("a digest", () => {
  test("is set, shown, changed and ended", async () => {
    const { id, updated_at } = await searches.save(ada, "search=kelp");
    const { write_limit: _, ...set } = (await setDigest(id, daily)) as SavedSearch & { write_limit: unknown };
    expect(savedSearch.strict().parse(set).digest).toEqual({
      ...daily,
      weekday: null,
      next_at: expect.any(String),
      last_sent_at: null,
      last_failed_at: null,
      paused_at: null,
    });
    const inNewYork = new Date(set.digest?.next_at ?? "").toLocaleString("en-US", { timeZone: daily.time_zone });
    expect(inNewYork).toMatch(/, 8:00:00.AM$/);
    expect(Date.parse(set.digest?.next_at ?? "")).toBeGreaterThan(Date.now());
    expect(set.updated_at).toBe(updated_at);

    const weekly = await setDigest(id, { frequency: "weekly", weekday: "friday" });
    expect(weekly.digest).toMatchObject({ frequency: "weekly", weekday: "friday", hour: 8, time_zone: "UTC" });
    expect(new Date(weekly.digest?.next_at ?? "").getUTCDay()).toBe(5);
    const list = savedSearchList.parse(await searches.ask(ada, "GET", "/saved-searches"));
    expect(list).toMatchObject({ has_mailer: true, saved_searches: [{ digest: { weekday: "friday" } }] });
    for (let time = 0; time < 2; time++) expect((await setDigest(id, null)).digest).toBeNull();
    await setDigest(id, daily);
    await searches.ask(ada, "DELETE", `/saved-searches/${id}`);
    expect(await service.connection.query("select from funding.digests")).toEqual([]);
  });

  test.each([
    [{}, "digest.frequency", "must be one of daily, weekly"],
    [{ frequency: "hourly" }, "digest.frequency", "must be one of daily, weekly"],
    [{ frequency: "weekly" }, "digest.weekday", "is required for a weekly digest"],
    [{ frequency: "daily", weekday: "monday" }, "digest.weekday", "must be null for a daily digest"],
    [{ frequency: "weekly", weekday: "Freitag" }, "digest.weekday", "must be one of monday, tuesday"],
    [{ frequency: "daily", hour: 24 }, "digest.hour", "must be a whole number from 0 to 23"],
    [{ frequency: "daily", hour: 7.5 }, "digest.hour", "must be a whole number from 0 to 23"],
    [{ frequency: "daily", time_zone: "Europe/Kelp" }, "digest.time_zone", "must be the name of a time zone"],
    [{ frequency: "daily", time_zone: "+02:00" }, "digest.time_zone", "must be the name of a time zone"],
    [{ frequency: "daily", minute: 30 }, "digest.minute", "is not a field of a digest"],
    ["daily", "digest", "must be an object with frequency"],
  ])("of %j is refused with the field", async (digest, parameter, message) => {
    const { id } = await searches.save(ada, "search=kelp");
    const { errors } = await searches.ask<Refusal>(ada, "PATCH", `/saved-searches/${id}`, { digest }, 400);
    expect(errors).toEqual([{ parameter, message: expect.stringContaining(message) }]);
  });

  test("needs API access and a confirmed address, and is another account's to nobody else", async () => {
    const { id } = await searches.save(ada, "search=kelp");
    const refuse = (status: number, person = ada) =>
      searches.ask<Refusal>(person, "PATCH", `/saved-searches/${id}`, { digest: daily }, status);
    await refuse(404, await searches.client.newSubscriber());
    await service.connection.query("update auth.users set email_confirmed_at = null where email = $1", [ada.email]);
    expect((await refuse(403)).detail).toBe("Confirm your e-mail address first.");
    await service.connection.query("update auth.users set email_confirmed_at = now() where email = $1", [ada.email]);
    await service.connection.query("select funding.set_tier($1, 'free')", [ada.email]);
    expect((await refuse(409)).detail).toBe("The subscription does not include digests.");
    expect((await setDigest(id, null)).digest).toBeNull();
  });
});

describe("the mail of a digest", () => {
  test("has the new records that match, as text and HTML, and is a whole message", async () => {
    const query = "search=kelp+nursery&min_amount=1000";
    const { id } = await searches.save(ada, query, { name: "Kelp & <Ohio>" });
    await setDigest(id, daily);
    await searches.load(
      "grants",
      grant("two", { amount_min: 2000, amount_max: 2500, listing_url: "javascript:alert(1)" }),
    );
    await searches.load(
      "grants",
      grant("one", {
        amount_max: 5000,
        deadline_date: "2031-07-01",
        listing_url: "https://kelp.example.gov/?a=1&b='2'",
      }),
      grant("small", { amount_max: 500 }),
      grant("roads", { title: "Roads", description: "Roads.", amount_max: 5000 }),
    );
    await setClock(1);
    await run();
    const [mail, ...others] = await mails();
    if (mail === undefined) throw new Error("there is no mail");
    expect(others).toEqual([]);
    expect(mail).toMatchObject({
      subject: "2 new grants: Kelp & <Ohio>",
      from: { name: "Kelp, Inc.", address: "digests@kelp.example" },
      to: [{ name: "", address: ada.email }],
      messageId: expect.stringMatching(new RegExp(`^<digest\\.${id}\\.\\d+@kelp\\.example>$`)),
      attachments: [],
    });
    expect(header(mail, "content-type")).toContain("multipart/alternative");
    expect(header(mail, "auto-submitted")).toBe("auto-generated");
    const link = linkOf(mail);
    expect(link).toMatch(
      /^https:\/\/api\.example\.org\/functions\/v1\/saved-searches\/fo_mail_[0-9A-Za-z]{38}\/unsubscribe$/,
    );
    expect(header(mail, "list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click");
    expect(mail.text?.trim().split(/\r?\n/)).toEqual([
      '2 new grants for your saved search "Kelp & <Ohio>"',
      "",
      "1. Kelp nursery one",
      "   Office of Kelp",
      "   Deadline: July 1, 2031 · Amount: up to $5,000",
      "   https://kelp.example.gov/?a=1&b=%272%27",
      "",
      "2. Kelp nursery two",
      "   Office of Kelp",
      "   Amount: $2,000 to $2,500",
      "",
      `All that it finds: https://funding.example.org/explorer?dataset=grants&${query}`,
      "",
      "--",
      "You get this every day at 8:00 (America/New_York), if there is anything new.",
      "Change it: https://funding.example.org/saved-searches",
      `Unsubscribe: ${link}`,
    ]);
    expect(mail.html).toContain('<a href="https://kelp.example.gov/?a=1&amp;b=%272%27">Kelp nursery one</a>');
    expect(mail.html).toContain("Kelp &amp; &lt;Ohio&gt;");
    expect(mail.html).not.toContain("javascript:");
    const [file = ""] = await readdir(join(folder, "mail"));
    expect((await stat(join(folder, "mail", file))).mode & 0o777).toBe(0o600);
    expect((await readFile(join(folder, "mail", file), "utf8")).replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
  });

  test("holds what records say as text of one line, whatever it is", async () => {
    const title = 'Kelp nursery\r\nBcc: eve@kelp.example\r\n\r\n<script>"\u202E\u0007\u{1F33F}';
    const { id } = await searches.save(ada, "search=kelp+nursery", { name: "Größe \u{1F33F}" });
    const mail = await sendOne(id, grant("hostile", { title }));
    expect(mail.subject).toBe("1 new grant: Größe \u{1F33F}");
    expect(mail.text).toContain('1. Kelp nursery Bcc: eve@kelp.example <script>"\u{1F33F}\n');
    expect(mail.html).toContain("Kelp nursery Bcc: eve@kelp.example &lt;script&gt;&quot;\u{1F33F}");
    expect(mail.bcc).toBeUndefined();
  });

  test("is sent once, also by dispatchers that run at once, and never without new records", async () => {
    const { id } = await searches.save(ada, "search=kelp+nursery");
    await sendOne(id);
    expect((await searches.read(ada, id)).digest).toMatchObject({
      last_sent_at: expect.any(String),
      last_failed_at: null,
    });
    await run();
    await setClock(2);
    await Promise.all([run(), run()]);
    expect(await mails()).toHaveLength(1);
    await searches.load("grants", grant("later"));
    await setClock(3);
    await Promise.all([run(), run(), run()]);
    const [first, second, ...others] = await mails();
    expect(others).toEqual([]);
    expect(second?.text).toContain("1. Kelp nursery later");
    expect(second?.messageId).not.toBe(first?.messageId);
  });

  test("names twenty records at most, and how many more there are", async () => {
    const { id } = await searches.save(ada, "search=kelp+nursery");
    await searches.load("grants", grant("not new"));
    await setDigest(id, daily);
    await searches.load("grants", ...Array.from({ length: 23 }, (_, index) => grant(`many ${index}`)));
    await setClock(1);
    await run();
    const [mail] = await mails();
    expect(mail?.subject).toBe("23 new grants: Water");
    expect(mail?.text?.match(/^\d+\. /gm)).toHaveLength(20);
    expect(mail?.text).toContain("and 3 more: https://funding.example.org/explorer?");
    expect(mail?.text).not.toContain("not new");
  });
});

describe("a digest by SMTP", () => {
  test("is sent again where it certainly was not sent, and not where it may have been", async () => {
    const server = await openMailServer();
    const variables: Record<string, string> = { ...addresses, MAIL_SMTP_URL: server.url };
    const mail = createEmbeddedMail(folder, "http://127.0.0.1:1", (name) => variables[name]);
    const runBySmtp = () => dispatch({ ...service.runtime, mail, budgetMs: 20_000 });
    const { id } = await searches.save(ada, "search=kelp+nursery");
    await setDigest(id, daily);
    const facts = async () => (await searches.read(ada, id)).digest;

    await searches.load("grants", grant("refused for now"));
    server.refusal = { step: "recipient", answer: 450 };
    await setClock(1);
    await runBySmtp();
    expect(await facts()).toMatchObject({ last_sent_at: null, last_failed_at: null });
    server.refusal = undefined;
    await runBySmtp();
    expect(server.messages).toHaveLength(0);
    await passTime("1 minute");
    await runBySmtp();
    expect(server.messages).toHaveLength(1);
    expect(await facts()).toMatchObject({ last_sent_at: expect.any(String), last_failed_at: null });

    await searches.load("grants", grant("cut"));
    server.refusal = { step: "message", answer: "cut" };
    await setClock(2);
    await runBySmtp();
    expect(server.messages).toHaveLength(2);
    expect(await facts()).toMatchObject({ last_failed_at: expect.any(String) });
    server.refusal = undefined;
    for (const waited of ["1 minute", "1 hour", "10 hours"]) {
      await passTime(waited);
      await runBySmtp();
    }
    await setClock(3);
    await runBySmtp();
    expect(server.messages).toHaveLength(2);
    expect(await mails()).toEqual([]);
    await server.close();
  });

  test("is paused after three refusals, until its owner sets it again", async () => {
    const server = await openMailServer();
    const variables: Record<string, string> = { ...addresses, MAIL_SMTP_URL: server.url };
    const mail = createEmbeddedMail(folder, "http://127.0.0.1:1", (name) => variables[name]);
    const { id } = await searches.save(ada, "search=kelp+nursery");
    await setDigest(id, daily);
    await searches.load("grants", grant("refused"));
    server.refusal = { step: "recipient", answer: 550 };
    lines.length = 0;
    const pauses: boolean[] = [];
    for (let days = 1; days <= 4; days++) {
      await setClock(days);
      await dispatch({ ...service.runtime, mail, budgetMs: 20_000 });
      pauses.push((await searches.read(ada, id)).digest?.paused_at !== null);
    }
    expect(pauses).toEqual([false, false, true, true]);
    expect(lines.filter((line) => line.includes('"digest":"refused"'))).toHaveLength(3);
    expect(lines.join("\n")).not.toContain(ada.email);

    server.refusal = undefined;
    await setDigest(id, daily);
    await setClock(5);
    await dispatch({ ...service.runtime, mail, budgetMs: 20_000 });
    expect(server.messages).toHaveLength(1);
    expect(server.messages[0]).toContain("Kelp nursery refused");
    await server.close();
  });

  test("whose settings are wrong is sent nowhere, and says so once in a run", async () => {
    const variables: Record<string, string> = { ...addresses, MAIL_SMTP_URL: "mail.example" };
    const mail = createEmbeddedMail(folder, "http://127.0.0.1:1", (name) => variables[name]);
    const { id } = await searches.save(ada, "search=kelp+nursery");
    await setDigest(id, daily);
    await searches.load("grants", grant("unsent"));
    await setClock(1);
    lines.length = 0;
    await dispatch({ ...service.runtime, mail, budgetMs: 20_000 });
    expect(lines.filter((line) => line.includes("no digests are sent: MAIL_SMTP_URL must be"))).toHaveLength(1);
    expect(await mails()).toEqual([]);
  });
});

describe("digests by a service over HTTP", () => {
  test("are all sent, also where the service takes few at a time", async () => {
    const mailService = await openReceiver();
    const variables: Record<string, string> = { ...addresses, MAIL_HTTP_URL: mailService.url };
    const mail = createEmbeddedMail(folder, "http://127.0.0.1:1", (name) => variables[name]);
    const people = [ada, ...(await Promise.all(Array.from({ length: 5 }, () => searches.client.newSubscriber())))];
    for (const person of people)
      await setDigest((await searches.save(person, "search=kelp+nursery")).id, daily, person);
    await searches.load("grants", grant("busy"));
    const sent: string[] = [];
    const attempts: [recipient: string, key: string][] = [];
    mailService.answer = (request, response) => {
      const isBusy = mailService.received.length % 2 === 0;
      const recipient = (JSON.parse(request.body) as { to: string[] }).to.join();
      attempts.push([recipient, String(request.headers["idempotency-key"])]);
      if (!isBusy) sent.push(recipient);
      response.writeHead(isBusy ? 429 : 200, { "retry-after": "0" }).end();
    };
    await setClock(1);
    for (let round = 0; round < 6 && sent.length < people.length; round++) {
      await dispatch({ ...service.runtime, mail, budgetMs: 20_000 });
      await passTime("1 minute");
    }
    expect(sent.sort()).toEqual(people.map(({ email }) => email).sort());
    // A digest's key is the same at each attempt, and no other digest's.
    expect(attempts.length).toBeGreaterThan(people.length);
    expect(new Set(attempts.map(String)).size).toBe(people.length);
    expect(new Set(attempts.map(([, key]) => key)).size).toBe(people.length);
    await mailService.close();
  });

  test("wait for another run where the service asks for a minute", async () => {
    const mailService = await openReceiver();
    const variables: Record<string, string> = { ...addresses, MAIL_HTTP_URL: mailService.url };
    const mail = createEmbeddedMail(folder, "http://127.0.0.1:1", (name) => variables[name]);
    for (const person of [ada, await searches.client.newSubscriber()]) {
      await setDigest((await searches.save(person, "search=kelp+nursery")).id, daily, person);
    }
    await searches.load("grants", grant("in a minute"));
    mailService.answer = (_request, response) => response.writeHead(429, { "retry-after": "60" }).end();
    await setClock(1);
    await dispatch({ ...service.runtime, mail, budgetMs: 20_000 });
    expect(mailService.received).toHaveLength(1);
    await mailService.close();
  });
});

describe("unsubscribing", () => {
  test("asks a GET, and needs no sign-in: a mail program's POST, or the page's button", async () => {
    const { id } = await searches.save(ada, "search=kelp+nursery");
    const link = linkOf(await sendOne(id));
    const page = await follow(link);
    expect(page.status).toBe(200);
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(page.headers.get("content-security-policy")).toContain("form-action 'self'; frame-ancestors 'none'");
    expect(await page.text()).toContain('<form method="post"><button');
    await follow(link, { method: "HEAD" });
    expect((await searches.read(ada, id)).digest).not.toBeNull();

    await searches.ask(ada, "PATCH", `/saved-searches/${id}`, { name: "Sea & weed" });
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    for (let time = 0; time < 2; time++) {
      const answer = await follow(link, { method: "POST", headers, body: "List-Unsubscribe=One-Click" });
      expect(answer.status).toBe(200);
      expect(await answer.text()).toContain("\u201cSea &amp; weed\u201d");
    }
    expect((await searches.read(ada, id)).digest).toBeNull();
    await searches.load("grants", grant("after"));
    await setClock(2);
    await run();
    expect(await mails()).toHaveLength(1);
  });

  test("says so where the link is none, or no longer one", async () => {
    const { id } = await searches.save(ada, "search=kelp+nursery");
    const link = linkOf(await sendOne(id));
    await searches.ask(ada, "DELETE", `/saved-searches/${id}`);
    for (const wrong of [link, link.replace("/unsubscribe", "0/unsubscribe"), link.replace("fo_mail_", "fo_feed_")]) {
      const answer = await follow(wrong, { method: "POST" });
      expect(answer.status).toBe(404);
      expect(await answer.text()).toContain("This link has expired");
    }
    expect((await follow(link, { method: "DELETE" })).status).toBe(405);
  });

  test("leaves the token in the mail alone", async () => {
    const { id } = await searches.save(ada, "search=kelp+nursery");
    const link = linkOf(await sendOne(id));
    await follow(link);
    await follow(link, { method: "POST" });
    await follow(link, { method: "DELETE" });
    const token = /fo_mail_\w+/.exec(link)?.[0] ?? "";
    const stored = await service.connection.query(
      "select row_to_json(mail)::text as mail from funding.digest_mails as mail",
    );
    expect(JSON.stringify(stored)).not.toContain(token);
    expect(lines.join("\n")).toContain("/saved-searches/{token}/unsubscribe");
    expect(lines.join("\n")).not.toContain(token.slice(8));
    expect(lines.join("\n")).not.toContain(ada.email);
  });
});
