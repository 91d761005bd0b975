import { afterAll, beforeAll, expect, test } from "vitest";
import { connectPostgres } from "../../database/postgres.ts";
import { type DashboardUnderTest, openDashboard } from "./dashboard.ts";

const owner = "developer@demo.example";

let dashboard: DashboardUnderTest;
beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard.end());

test("an owner invites somebody, who accepts, uses the account without seeing the other's data, and is removed", async () => {
  const guest = "guest@people.example";
  const ada = await dashboard.visitSignedIn({ path: "/account" });
  const members = ada.page.getByRole("region", { name: "Members" });
  await members.getByRole("row", { name: `${owner} (you) Owner` }).waitFor();
  expect(await ada.page.getByRole("combobox", { name: "Account" }).count(), "in one account alone").toBe(0);
  await members.getByRole("button", { name: "Invite" }).click();
  const dialog = ada.page.getByRole("dialog");
  await dialog.getByLabel("E-mail address").fill("guest");
  await dialog.getByRole("button", { name: "Invite" }).click();
  await dialog.getByText("must be an e-mail address").waitFor();
  await dialog.getByLabel("E-mail address").fill(guest);
  await dialog.getByRole("button", { name: "Invite" }).click();
  await dialog.waitFor({ state: "detached" });
  await members.getByRole("row", { name: new RegExp(`^${guest} \\(invited\\) Member`) }).waitFor();

  const ben = await dashboard.visitSignedIn({ email: guest, path: "/" });
  await ben.page.getByText(`You are invited to the account of ${owner}`).waitFor();
  await ben.page.getByRole("button", { name: "Accept" }).click();
  await ben.page.getByText(`You are in the account of ${owner}`).waitFor();
  await ben.page.getByRole("link", { name: "API keys" }).click();
  await ben.page.getByText("No keys yet").waitFor();
  const switcher = ben.page.getByRole("combobox", { name: "Account" });
  await switcher.selectOption({ label: owner });
  const demoKey = ben.page.getByRole("button", { name: /^Actions for / });
  await demoKey.first().waitFor();
  await ben.page.getByRole("button", { name: "Create key" }).click();
  await ben.page.getByRole("dialog").getByLabel("Name").fill("of the guest");
  await ben.page.getByRole("dialog").getByRole("button", { name: "Create key" }).click();
  await ben.page.getByRole("dialog", { name: "Your new key" }).waitFor();
  await ben.page.reload();
  await ben.page.getByRole("row", { name: /of the guest/ }).waitFor();
  const otherTab = await ben.context.newPage();
  await otherTab.goto(`${dashboard.origin}/keys`);
  await otherTab.getByRole("combobox", { name: "Account" }).selectOption({ label: `${guest} (your own)` });
  await otherTab.getByText("No keys yet").waitFor();
  await ben.page.reload();
  await ben.page.getByRole("row", { name: /of the guest/ }).waitFor();
  await otherTab.close();
  await ben.page.goto(`${dashboard.origin}/requests`);
  await ben.page.getByText("Owners of the account can change this.").waitFor();
  await ben.page.goto(`${dashboard.origin}/account`);
  await ben.page.getByText("You are a member of this account.").waitFor();
  expect(await ben.page.getByRole("button", { name: "Invite" }).count()).toBe(0);
  await switcher.selectOption({ label: `${guest} (your own)` });
  await ben.page.getByRole("row", { name: `${guest} (you) Owner` }).waitFor();
  await ben.page.getByRole("link", { name: "API keys" }).click();
  await ben.page.getByText("No keys yet").waitFor();
  expect(await ben.page.getByText("of the guest").count(), "nothing of the other account").toBe(0);

  await switcher.selectOption({ label: owner });
  await ben.page.getByRole("row", { name: /of the guest/ }).waitFor();
  await ada.page.reload();
  await members.getByRole("button", { name: `Actions for ${guest}` }).click();
  await ada.page.getByRole("menuitem", { name: "Remove" }).click();
  await dialog.getByRole("button", { name: "Remove" }).click();
  await members.getByRole("row", { name: new RegExp(guest) }).waitFor({ state: "detached" });
  await ada.page
    .getByRole("region", { name: "Latest changes" })
    .getByText(`${guest} removed from the account`)
    .waitFor();
  await ben.page.reload();
  await ben.page.getByText("You are not in that account any more").waitFor();
  await ben.page.getByText("No keys yet").waitFor();
  expect(await switcher.count()).toBe(0);
  expect([...ada.complaints, ...ben.complaints]).toEqual([]);
});

test("a user declines an invitation, and an owner withdraws one", async () => {
  const [first, second] = ["first@people.example", "second@people.example"];
  const { page, complaints } = await dashboard.visitSignedIn({ path: "/account" });
  const members = page.getByRole("region", { name: "Members" });
  for (const email of [first, second]) {
    await members.getByRole("button", { name: "Invite" }).click();
    await page.getByRole("dialog").getByLabel("E-mail address").fill(email);
    await page.getByRole("dialog").getByRole("button", { name: "Invite" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
  }
  const invited = await dashboard.visitSignedIn({ email: first, path: "/account" });
  await invited.page.getByRole("button", { name: "Decline" }).click();
  await invited.page.getByText("Invitation declined").waitFor();
  await invited.page.getByText("You are invited").waitFor({ state: "detached" });

  await members.getByRole("button", { name: `Actions for the invitation of ${second}` }).click();
  await page.getByRole("menuitem", { name: "Withdraw" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Withdraw" }).click();
  await members.getByRole("row", { name: new RegExp(second) }).waitFor({ state: "detached" });
  const changes = page.getByRole("region", { name: "Latest changes" });
  await changes.getByText(`Invitation of ${second} withdrawn`).waitFor();
  await changes.getByText(`Invitation declined by ${first}`).waitFor();
  expect([...complaints, ...invited.complaints]).toEqual([]);
});

test("whoever is invited by many accounts finds the oldest invitation behind the others, accepts it, and declines the rest at once", async () => {
  const email = "wanted@people.example";
  const connection = await connectPostgres(dashboard.server.ready.database_url);
  await connection.query(
    `with opened as (
       insert into funding.accounts (email) select 'many-' || n || '@people.example' from generate_series(1, 56) as n returning id, email
     )
     insert into funding.invitations (account_id, email, role, created_at)
     select id, $1, 'member', now() - split_part(split_part(email, '@', 1), '-', 2)::integer * interval '1 minute' from opened`,
    [email],
  );
  await connection.close();
  const { page, complaints } = await dashboard.visitSignedIn({ email, path: "/account" });
  const invitations = page.getByText(/^You are invited to the account of many-/);
  await page.getByText("Many accounts invite you").waitFor();
  expect(await invitations.count()).toBe(50);
  const oldest = page.getByText("You are invited to the account of many-56@people.example");
  expect(await oldest.count()).toBe(0);
  await page.getByRole("button", { name: "Show more invitations" }).click();
  await oldest.waitFor();
  expect(await invitations.count()).toBe(56);
  expect(await page.getByRole("button", { name: "Show more invitations" }).count()).toBe(0);
  await page.getByRole("button", { name: "Accept" }).last().click();
  await page.getByText("You are in the account of many-56@people.example").waitFor();
  await oldest.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Decline all" }).click();
  await page.getByText("55 invitations declined").waitFor();
  await page.getByText("You are invited").first().waitFor({ state: "detached" });
  expect(await page.getByText("Many accounts invite you").count()).toBe(0);
  expect(complaints).toEqual([]);
});
