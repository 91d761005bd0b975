import { afterAll, beforeAll, expect, test } from "vitest";
import { closeAfter } from "../../database/connection.ts";
import { connectPostgres } from "../../database/postgres.ts";
import type { Page } from "./chromium.ts";
import { type DashboardUnderTest, openDashboard, type Visit } from "./dashboard.ts";

const webhook = "00000000-0000-4000-8000-000000000001";
const account = "(select id from funding.accounts where email = 'developer@demo.example')";
const email = "repeat('w', 64) || '@' || repeat(repeat('w', 61) || '.', 3) || 'ex'";

/** Two webhooks, of which one has a delivery in each state, with the longest address, description, title, event and error. Paused, so that nothing is sent. */
const longestWebhooks = `
  insert into funding.webhook_endpoints (id, account_id, url, secret, events, state, description, filters)
  select id, ${account}, rpad('https://hooks.example.org/', 2000, letter), 'sealed',
    '{grant.created}', 'paused', repeat(letter, 200), '{"grants": {"query": "states=OH", "parameters": {}}}'
  from (values ('${webhook}'::uuid, 'W'), ('00000000-0000-4000-8000-000000000002', 'word ')) as webhook (id, letter);
  with event as (
    insert into funding.events (event, dataset, record_id, fanned_out_at, data)
    select 'contract.deadline_approaching', 'contracts', gen_random_uuid(), now(), json_build_object('title', title)
    from (values (repeat('W', 400)), (repeat('word ', 80)), ('Roof')) as opportunity (title)
    returning id
  ), numbered as (
    select id, row_number() over () as place from event
  ), delivery as (
    insert into funding.webhook_deliveries (endpoint_id, event_id, state, attempts, due_at, created_at, finished_at)
    select '${webhook}', id, (array['pending', 'succeeded', 'failed'])[place], 10, now() + interval '20 hours', now(), case when place > 1 then now() end
    from numbered returning endpoint_id, event_id, state
  )
  insert into funding.webhook_attempts (endpoint_id, event_id, number, url, started_at, duration_ms, status, error)
  select endpoint_id, event_id, 10, 'https://hooks.example.org/', now(), 15000, case when state = 'succeeded' then 200 end,
    case when state <> 'succeeded' then 'connection' end
  from delivery;`;

/** A member and an invitation with the longest addresses, and changes with the longest names and values. */
const longestMembers = `
  insert into funding.members (account_id, user_id, email, role) values (${account}, gen_random_uuid(), ${email}, 'member');
  insert into funding.invitations (account_id, email, role) values (${account}, 'i' || substr(${email}, 2), 'owner');
  insert into funding.audit_log (account_id, at, actor, actor_email, action, subject_kind, subject_id, subject_name, changes)
  select ${account}, now(), 'user', ${email}, 'webhook.updated', 'webhook', gen_random_uuid(), repeat(letter, 200),
    jsonb_build_array(jsonb_build_object('field', 'url', 'from', repeat(letter, 500), 'to', repeat(letter, 499)))
  from (values ('W'), ('word ')) as change (letter);`;

let dashboard: DashboardUnderTest;
let visitor: Visit;
beforeAll(async () => {
  dashboard = await openDashboard();
  const { api_key, base_url, database_url } = dashboard.server.ready;
  await fetch(`${base_url}/grants-api?limit=1`, { headers: { authorization: `Bearer ${api_key}` } });
  // The longest names: of one word, and of several.
  await closeAfter(await connectPostgres(database_url), (connection) =>
    connection.execute(`
      update funding.api_keys set name = repeat('W', 100);
      update funding.api_keys set name = rpad('production reporting service of the northern region ', 100, 'long ')
      where id in (select min(id::text)::uuid from funding.api_keys group by account_id);
      insert into funding.request_log
        (account_id, at, request_id, api_key_id, key_name, method, endpoint, status, duration_ms, parameters, searches)
      select ${account}, now(), 'explorer', gen_random_uuid(), 'Explorer', 'GET', 'grants-api', 200, 1, '{}', '{}';
      ${longestWebhooks}
      ${longestMembers}`),
  );
  visitor = await dashboard.visitSignedIn();
});
afterAll(() => dashboard.end());

/** What is wrong with the tables on show, in words. */
function faultsOf(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const faults: string[] = [];
    const overflow = document.documentElement.scrollWidth - innerWidth;
    if (overflow > 0) faults.push(`the page is ${overflow} px too wide`);
    for (const table of document.querySelectorAll("table")) {
      const box = (table.closest(".table-scroll") ?? table).getBoundingClientRect();
      const card = table.closest(".card")?.getBoundingClientRect();
      if (card !== undefined && box.right > card.right + 1)
        faults.push(`a table is ${box.right - card.right} px out of its card`);
      const name = table.querySelector("tbody th")?.getBoundingClientRect();
      if (name !== undefined && name.width < 140) faults.push(`a name has ${name.width} px`);
      for (const cell of table.querySelectorAll("tbody :is(th, td)")) {
        // A text that does not break reaches into the next column, or out of a phone's card.
        if (cell.scrollWidth > cell.clientWidth + 1)
          faults.push(`${cell.textContent.slice(0, 40)} is wider than its cell`);
        const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
        for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
          for (const { index, 0: word } of (text.textContent ?? "").matchAll(/(?<!\S)[A-Za-z]{4,9}(?!\S)/g)) {
            const range = document.createRange();
            range.setStart(text, index);
            range.setEnd(text, index + word.length);
            const lines = new Set([...range.getClientRects()].map(({ top }) => top));
            if (lines.size > 1) faults.push(`"${word}" is broken`);
          }
        }
      }
      for (const control of table.querySelectorAll("tbody :is(a, button, summary)")) {
        control.scrollIntoView({ block: "center" });
        // A link of several lines has a box for each.
        const { left, top, width, height } = control.getClientRects()[0] ?? new DOMRect();
        const hit = document.elementFromPoint(left + Math.min(width, 30) / 2, top + height / 2);
        const label = control.getAttribute("aria-label") ?? control.textContent;
        if (hit === null || !control.contains(hit)) faults.push(`${label} cannot be hit`);
        if (control.matches("button, summary") && Math.min(width, height) < 24)
          faults.push(`${label} is ${width} by ${height} px`);
      }
    }
    return faults;
  });
}

test.each(["/keys", "/requests", "/usage", "/webhooks", `/webhooks/${webhook}`, "/account", "/account/audit-log"])(
  "%s has its tables within their cards from 320 to 1600 px",
  async (path) => {
    const { page } = visitor;
    await page.goto(`${dashboard.origin}${path}`);
    await page.getByRole("table").first().waitFor();
    if (path === "/account") await page.getByRole("table", { name: "Open invitations" }).waitFor();
    await page.evaluate(() => {
      for (const details of document.querySelectorAll("table details")) details.setAttribute("open", "");
    });
    for (const width of [
      320, 375, 480, 640, 768, 769, 800, 896, 897, 900, 930, 960, 961, 1024, 1100, 1200, 1201, 1280, 1440, 1600,
    ]) {
      await page.setViewportSize({ width, height: 800 });
      // A chart takes its new width with the next frame.
      await expect.poll(() => faultsOf(page), { message: `${width} px`, timeout: 3_000 }).toEqual([]);
    }
  },
);
