import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { changeSubscription } from "../../database/accounts/accounts.ts";
import { createKey, limitKey } from "../../database/accounts/keys.ts";
import { closeAfter } from "../../database/connection.ts";
import { connectPostgres } from "../../database/postgres.ts";
import { type DashboardUnderTest, openDashboard } from "./dashboard.ts";

const email = "developer@demo.example";

let dashboard: DashboardUnderTest;
beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard.end());

test("a change is told in a sentence, with its values, found by kind and by what was changed, page by page", async () => {
  await closeAfter(await connectPostgres(dashboard.server.ready.database_url), async (connection) => {
    await changeSubscription(connection, email, { status: "past_due" });
    const { id } = await createKey(connection, email, "nightly sync", undefined, { daily_quota: 1 });
    for (let quota = 2; quota <= 30; quota++) await limitKey(connection, id, { daily_quota: quota });
  });
  const { page, complaints } = await dashboard.visitSignedIn({ path: "/keys" });
  await page.getByRole("button", { name: "Actions for nightly sync" }).click();
  await page.getByRole("menuitem", { name: "Revoke" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });

  await page.getByRole("link", { name: "Account", exact: true }).click();
  const latest = page.getByRole("region", { name: "Latest changes" });
  await latest.getByRole("row", { name: `Key “nightly sync” revoked ${email}` }).waitFor();
  await latest.getByRole("link", { name: "Audit log" }).click();
  await page.waitForURL("**/account/audit-log");
  const rows = page.getByRole("row");
  await page.getByRole("row", { name: `Key “nightly sync” revoked ${email}` }).waitFor();
  expect(await rows.count()).toBe(26);
  await page.getByRole("button", { name: "Show more" }).click();
  await page.getByRole("row", { name: /Key “nightly sync” created .*Operator of the service/ }).waitFor();

  await page.getByLabel("Show").selectOption("subscription");
  await page.waitForURL("**/account/audit-log?kind=subscription");
  await page.getByRole("row", { name: /revoked/ }).waitFor({ state: "detached" });
  const change = page.getByRole("row", { name: /Subscription changed/ });
  await change.locator("summary").click();
  await change.getByText("active is now → past_due").waitFor();

  await page.getByLabel("Show").selectOption("key");
  const limited = page.getByRole("row", { name: /“nightly sync” changed/ }).first();
  await limited.locator("summary").click();
  await limited.getByText("29 is now → 30").waitFor();
  await limited.getByRole("link").click();
  await page.waitForURL(/\/account\/audit-log\?subject=[\w-]{36}$/);
  await page.getByRole("row", { name: /“nightly sync” revoked/ }).waitFor();
  await page.getByRole("link", { name: "Show all" }).click();
  await page.waitForURL("**/account/audit-log");
  await page.getByLabel("Show").selectOption("webhook");
  await page.getByText("No such changes").waitFor();
  expect(complaints).toEqual([]);
});

test("changes are found by a text and by days, and saved as a file", async () => {
  await closeAfter(await connectPostgres(dashboard.server.ready.database_url), (connection) =>
    connection.query(
      `insert into funding.audit_log (account_id, at, actor, actor_email, action, subject_kind, subject_id, subject_name, changes)
       select id, now() - days * interval '1 day', 'user', 'ada@people.example', 'key.created', 'key', gen_random_uuid(), '=1+1 "of ' || days || '"', '[]'
       from funding.accounts, (values (20), (40)) as ago (days) where email = $1`,
      [email],
    ),
  );
  const { page, complaints } = await dashboard.visitSignedIn({ path: "/account/audit-log" });
  await page.getByLabel("Text").fill("ADA of");
  await page.waitForURL("**/account/audit-log?text=ADA+of");
  const rows = page.getByRole("row", { name: /=1\+1/ });
  await expect.poll(() => rows.count()).toBe(2);
  expect(await page.getByRole("row").count()).toBe(3);
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
  await page.getByLabel("First day").fill(day(30));
  await page.getByLabel("Last day").fill(day(10));
  await expect.poll(() => rows.count()).toBe(1);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "CSV" }).click(),
  ]);
  expect(await readFile(await download.path(), "utf8")).toMatch(
    /^at,actor,actor_email,action,subject_kind,subject_id,subject_name,changes\r\n\S+Z,user,ada@people\.example,key\.created,key,[\w-]{36},"'=1\+1 ""of 20""",\[\]\r\n$/,
  );
  await page.getByLabel("Last day").fill(day(31));
  await page.getByText("This is after the last day.").waitFor();
  await page.getByLabel("Last day").fill("");
  await page.getByLabel("Text").fill("nobody-of-this-name");
  await page.getByText(/None of the \d+ changes that were read has this text/).waitFor();
  expect(complaints).toEqual([]);
});

test("a change that a page from before an upgrade does not know is told by its action's name, with its values", async () => {
  await closeAfter(await connectPostgres(dashboard.server.ready.database_url), async (connection) => {
    await connection.query(
      `insert into funding.audit_log (account_id, at, actor, action, subject_kind, subject_id, subject_name, changes)
       select id, now(), 'operator', 'key.lent', 'key', gen_random_uuid(), 'nightly sync', '[{"field": "lent_to", "from": null, "to": "Kelp"}]'
       from funding.accounts where email = $1`,
      [email],
    );
  });
  const { page, complaints } = await dashboard.visitSignedIn({ path: "/account/audit-log" });
  const change = page.getByRole("row", { name: /key\.lent “nightly sync”.*Operator of the service/ });
  await change.locator("summary").getByText("Lent to").click();
  await change.getByText("Kelp").waitFor();
  await page.goto(`${dashboard.origin}/account`);
  await page.getByRole("row", { name: /key\.lent “nightly sync”/ }).waitFor();
  expect(complaints).toEqual([]);
});
