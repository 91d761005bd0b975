import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { recordFields } from "../../shared/catalogue/fields.generated.ts";
import type { Locator, Page, Route } from "./chromium.ts";
import { type DashboardUnderTest, openDashboard, type Visit } from "./dashboard.ts";

let dashboard: DashboardUnderTest;
let visitor: Visit;

beforeAll(async () => {
  dashboard = await openDashboard();
  visitor = await dashboard.visitSignedIn();
});
afterAll(() => dashboard.end());

async function openExplorer(query = "", { width = 1440, height = 900 } = {}): Promise<Page> {
  const page = await visitor.context.newPage();
  onTestFinished(() => page.close());
  await page.setViewportSize({ width, height });
  await page.goto(`${dashboard.origin}/explorer${query}`);
  await page.getByRole("heading", { name: "Explorer" }).waitFor();
  return page;
}

async function sendRequest(page: Page, status = "200 OK"): Promise<void> {
  await page.getByRole("button", { name: "Send request" }).click();
  await page.getByText(status).waitFor();
}

const filtersButton = (page: Page) => page.getByRole("button", { name: /Filters and paging/ });
const jsonOf = async (page: Page) => {
  await page.getByRole("button", { name: "JSON", exact: true }).click();
  return JSON.parse(await page.getByRole("region", { name: "answer", exact: true }).innerText());
};
const codeIn = async (page: Page, language: string) => {
  await page.getByRole("tab", { name: language }).click();
  return page.getByRole("region", { name: `request as ${language}` }).innerText();
};
const titles = (page: Page) => page.locator(".results-title").allInnerTexts();

/** Whether all of an element's height is in the window. */
async function isInView(element: Locator): Promise<boolean> {
  return element.evaluate((shown) => {
    const { top, bottom } = shown.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  });
}

describe("the key", () => {
  test("is made from the sign-in, is asked for once, and is in no code, storage or address", async () => {
    const page = await openExplorer();
    const keys: string[] = [];
    const authorizations: (string | undefined)[] = [];
    page.on("response", async (response) => {
      if (response.url().endsWith("/explorer-key")) keys.push((await response.json()).key);
    });
    page.on("request", (request) => {
      if (request.url().includes("/grants-api")) authorizations.push(request.headers().authorization);
    });
    await sendRequest(page);
    const { results } = await jsonOf(page);
    const code = [await codeIn(page, "curl"), await codeIn(page, "TypeScript"), await codeIn(page, "Python")].join();
    const url = /'(http\S+)'/.exec(await codeIn(page, "curl"))?.[1] ?? "";
    const headers = { authorization: `Bearer ${dashboard.server.ready.api_key}` };
    expect(results).toEqual(((await (await fetch(url, { headers })).json()) as { results: unknown }).results);
    await page.getByRole("button", { name: "Headers", exact: true }).click();
    await page.getByText("X-RateLimit-Limit").waitFor();
    await sendRequest(page);
    expect(keys).toHaveLength(1);
    expect(authorizations).toEqual([`Bearer ${keys[0]}`, `Bearer ${keys[0]}`]);
    const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
    for (const text of [code, stored, page.url(), await page.content()]) expect(text).not.toContain(keys[0]);
  });

  test("is made anew when it was ended elsewhere", async () => {
    const page = await openExplorer();
    const made = page.waitForResponse((response) => response.url().endsWith("/explorer-key"));
    await sendRequest(page);
    const { id } = await (await made).json();
    const token = await page.evaluate(() => {
      const stored = Object.values({ ...localStorage }).find((value) => value.includes("access_token"));
      return (JSON.parse(stored ?? "{}") as { access_token: string }).access_token;
    });
    const revoked = await fetch(`${dashboard.server.ready.base_url}/account-api/keys/${id}/revoke`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}` },
    });
    expect(revoked.status).toBe(200);
    const another = page.waitForResponse((response) => response.url().endsWith("/explorer-key"));
    await page.getByRole("button", { name: "Send request" }).click();
    expect((await (await another).json()).key).toMatch(/^fo_live_/);
    await page.getByText("200 OK").waitFor();
  });

  test("can be another one, which a reload forgets", async () => {
    const page = await openExplorer();
    await page.getByRole("button", { name: "Use another key" }).click();
    await page.getByLabel("API key").fill("fo_live_wrong");
    await sendRequest(page, "401 Unauthorized");
    await page.getByRole("button", { name: "Use the sign-in instead" }).click();
    await sendRequest(page);
    await page.reload();
    await page.getByRole("button", { name: "Use another key" }).click();
    expect(await page.getByLabel("API key").inputValue()).toBe("");
  });
});

describe("at 1440x900", () => {
  test("request, answer and code are in view, with the filters open, and so is what became of a request", async () => {
    const page = await openExplorer();
    await page.getByLabel("States").fill("Ohio");
    await sendRequest(page, "400 Bad Request");
    const parts = [
      page.getByText("400 Bad Request"),
      page.getByRole("button", { name: "Send request" }),
      page.getByRole("region", { name: "request as curl" }),
    ];
    for (const part of parts) expect(await isInView(part)).toBe(true);
    await page.getByLabel("States").fill("OH");
    await sendRequest(page);
    expect(await isInView(page.getByText("200 OK"))).toBe(true);
    expect(await page.evaluate(() => document.documentElement.scrollHeight <= innerHeight)).toBe(true);
  });

  test("more than three records are in view, code is read without scrolling sideways, and fields in a row are on one line", async () => {
    const page = await openExplorer("?dataset=grants&limit=20");
    await sendRequest(page);
    const answer = await page.locator(".explorer-answer-body").boundingBox();
    const end = (answer?.y ?? 0) + (answer?.height ?? 0);
    const rows = await page
      .locator(".results-table tbody tr")
      .evaluateAll((all) => all.map((row) => row.getBoundingClientRect().bottom));
    expect(rows.filter((bottom) => bottom <= end).length).toBeGreaterThan(3);
    const isWider = (code: Element) => code.scrollWidth > code.clientWidth;
    expect(await page.getByRole("region", { name: "request as curl" }).evaluate(isWider)).toBe(false);
    const controls = await page
      .locator(".parameters-more .field:not(.set-field) .control")
      .evaluateAll((all) => all.map((control) => control.getBoundingClientRect().top));
    const tops = [...new Set(controls)].sort((one, other) => one - other);
    const distances = tops.slice(1).map((top, index) => top - (tops[index] ?? 0));
    expect(Math.min(...distances), "between two rows of fields").toBeGreaterThan(36);
  });

  test("the field that an answer names is marked, its filters open, and a correction takes the mark away", async () => {
    const page = await openExplorer();
    const states = page.getByLabel("States");
    await states.fill("Ohio");
    await filtersButton(page).click();
    await states.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Send request" }).click();
    await expect.poll(() => states.getAttribute("aria-invalid")).toBe("true");
    await expect.poll(() => states.evaluate((field) => field === document.activeElement)).toBe(true);
    await page
      .locator(".field-error")
      .getByText(/two-letter USPS state codes/)
      .waitFor();
    await states.fill("OH");
    expect(await states.getAttribute("aria-invalid")).not.toBe("true");
  });
});

describe("filters that complete as one types", () => {
  /** The requests for suggestions, as they are sent. */
  function suggestionsAsked(page: Page): string[] {
    const asked: string[] = [];
    page.on("request", (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (request.method() === "GET" && pathname.endsWith("/suggest")) asked.push(`${searchParams}`);
    });
    return asked;
  }
  const suggestions = (page: Page) => page.getByRole("listbox", { name: /^Suggestions for / }).getByRole("option");
  const agencyField = (page: Page) => page.getByRole("combobox", { name: "Agency", exact: true });

  test("have the current records of each value, from the second letter on, by keyboard alone", async () => {
    const page = await openExplorer("?dataset=grants");
    const asked = suggestionsAsked(page);
    const field = agencyField(page);
    await field.focus();
    await page.keyboard.type("d");
    // Typed later, so a request for the letter would be the first.
    await page.getByRole("combobox", { name: "Category", exact: true }).fill("ed");
    await page.waitForRequest("**/suggest?q=ed*");
    expect(asked).toEqual(["q=ed&kinds=category"]);
    asked.length = 0;
    // While they are open, the other fields are out of reach.
    await suggestions(page).first().waitFor();
    await page.keyboard.press("Escape");
    await suggestions(page).first().waitFor({ state: "hidden" });
    await field.focus();
    await page.keyboard.press("End");
    const answer = page.waitForResponse("**/suggest?q=dep*");
    await page.keyboard.type("ep");
    const options = suggestions(page);
    await options.first().waitFor();
    expect(asked).toEqual(["q=dep&kinds=agency"]);
    await expect.poll(() => field.getAttribute("aria-expanded")).toBe("true");
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => field.getAttribute("aria-activedescendant")).toBeTruthy();
    const active = page.locator(`[id="${await field.getAttribute("aria-activedescendant")}"]`);
    const [name = "", records = ""] = (await active.innerText()).split("\n");
    await page.keyboard.press("Enter");
    expect(await field.inputValue()).toBe(name);
    await options.first().waitFor({ state: "hidden" });
    await page.getByRole("combobox", { name: "Category", exact: true }).fill("");
    await sendRequest(page);
    expect((await jsonOf(page)).pagination.total).toBeGreaterThan(0);
    const { results } = (await (await answer).json()) as { results: { value: string; datasets: { grants: number } }[] };
    expect(Number.parseInt(records.replaceAll(",", ""), 10)).toBe(
      results.find(({ value }) => value === name)?.datasets.grants,
    );
  });

  test("complete the value at the caret of several, and show the name of a code", async () => {
    const page = await openExplorer("?dataset=contracts");
    const field = agencyField(page);
    await field.fill("Department of Agriculture");
    await field.press("End");
    await page.keyboard.type(" | dep");
    await suggestions(page).first().click();
    expect(await field.inputValue()).toMatch(/^Department of Agriculture \| Dep/);
    const funder = page.getByRole("combobox", { name: "Funder, by id", exact: true });
    await funder.focus();
    await page.keyboard.type("of");
    const option = suggestions(page).first();
    const [name = ""] = (await option.innerText()).split("\n");
    await option.click();
    expect(await funder.inputValue()).toMatch(/^[0-9a-f-]{36}$/);
    await page.locator(".field", { has: funder }).getByText(name).waitFor();
  });

  test("show the last answer, and close on Escape with the text kept", async () => {
    const page = await openExplorer("?dataset=grants");
    let release = () => {};
    let answered = () => {};
    const isLate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const isAnswered = new Promise<void>((resolve) => {
      answered = resolve;
    });
    await page.route("**/suggest?q=of*", async (route) => {
      const response = await route.fetch();
      await isLate;
      // The page may have ended the request.
      await route.fulfill({ response }).catch(() => undefined);
      answered();
    });
    const field = agencyField(page);
    await field.focus();
    const slow = page.waitForRequest("**/suggest?q=of*");
    await page.keyboard.type("of");
    await slow;
    await field.fill("");
    await page.keyboard.type("agri");
    await suggestions(page).first().waitFor();
    release();
    await isAnswered;
    for (const text of await suggestions(page).allInnerTexts()) expect(text).toMatch(/agri/i);
    await page.keyboard.press("Escape");
    await suggestions(page).first().waitFor({ state: "hidden" });
    expect(await field.inputValue()).toBe("agri");
  });
});

describe("on a phone", () => {
  const phone = { width: 390, height: 844 };

  test("it scrolls to the answer, which is below the form", async () => {
    const page = await openExplorer("", phone);
    await sendRequest(page);
    await expect.poll(() => isInView(page.getByText("200 OK"))).toBe(true);
  });

  test("the button that copies code covers none of it", async () => {
    const page = await openExplorer("", phone);
    const code = await page.getByRole("region", { name: "request as curl" }).boundingBox();
    const button = await page.getByRole("button", { name: "Copy request as curl" }).boundingBox();
    expect((code?.x ?? 0) + (code?.width ?? Number.POSITIVE_INFINITY)).toBeLessThanOrEqual(button?.x ?? 0);
  });
});

test("the form is kept in the address", async () => {
  const page = await openExplorer();
  await page.getByRole("button", { name: "Contracts" }).click();
  await page.getByLabel("Search", { exact: true }).fill("roof & gutters");
  await page.getByLabel("States").fill("OH");
  await page.waitForURL(/states=OH/);
  await page.reload();
  expect(await page.getByLabel("Search", { exact: true }).inputValue()).toBe("roof & gutters");
  await page.getByText("/contracts-api?search=roof+%26+gutters").waitFor();
  await page.getByRole("button", { name: "Filters and paging (2)" }).waitFor();
  await page.getByRole("link", { name: "Explorer" }).click();
  await page.waitForURL(/states=OH/);
  expect(await page.getByLabel("Search", { exact: true }).inputValue()).toBe("roof & gutters");
});

describe("a list", () => {
  test("is a table, whose next page and first page are a button away", async () => {
    const page = await openExplorer("?dataset=grants&sort_by=title&order=asc&limit=3");
    await sendRequest(page);
    await page.getByText(/^3 of .* that match/).waitFor();
    const first = await titles(page);
    expect(first).toHaveLength(3);
    await page.getByRole("button", { name: "Next page" }).click();
    await page.getByRole("button", { name: "First page" }).waitFor();
    const second = await titles(page);
    expect(second).not.toEqual(first);
    const { results, pagination } = await jsonOf(page);
    expect(results.map(({ title }: { title: string }) => title)).toEqual(second);
    expect(pagination.offset).toBe(0);
    await page.waitForURL(/cursor=/);
    await page.getByRole("button", { name: "First page" }).click();
    await page.getByRole("button", { name: "First page" }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Table", exact: true }).click();
    expect(await titles(page)).toEqual(first);
  });

  test("shows its facets, whose values filter", async () => {
    const page = await openExplorer("?dataset=grants&limit=2");
    await page.getByRole("button", { name: "states", exact: true }).click();
    await sendRequest(page);
    const value = page.getByRole("region", { name: "Facet states" }).getByRole("button").first();
    const [state = "", count] = (await value.innerText()).split(/\s+/);
    await value.click();
    await page.getByText(`2 of ${count} that match`).waitFor();
    expect(await page.getByRole("textbox", { name: "States" }).inputValue()).toBe(state);
  });

  test("has as many records for a facet's value as were counted, whichever facet", async () => {
    const facets = ["status", "category", "agency", "set_aside", "naics", "psc"];
    const page = await openExplorer(`?dataset=contracts&opportunity_type=all&limit=1&facets=${facets}`);
    await sendRequest(page);
    const total = await page.getByText(/^1 of .* that match$/).innerText();
    for (const name of facets) {
      const value = page
        .getByRole("region", { name: `Facet ${name}` })
        .getByRole("button")
        .first();
      const count = await value.locator(".facet-count").innerText();
      await value.click();
      await page.getByText(`1 of ${count} that match`).waitFor();
      await page.goBack();
      await page.getByText(total).waitFor();
    }
  });

  test("is downloaded as CSV, with all records that match", async () => {
    const page = await openExplorer("?dataset=funders&limit=2");
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "CSV" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("funders.csv");
    const lines = (await readFile(await download.path(), "utf8")).split("\r\n");
    expect(lines[0]?.split(",").slice(0, 2)).toEqual(recordFields.funders.slice(0, 2));
    await sendRequest(page);
    const { pagination } = await jsonOf(page);
    expect(pagination.total).toBeGreaterThan(2);
    expect(lines.length).toBeGreaterThan(pagination.total);
  });

  test("that is refused is not downloaded, and the reason is said", async () => {
    const page = await openExplorer("?dataset=grants&states=Ohio");
    await page.getByRole("button", { name: "CSV" }).click();
    await page.getByText("The file was not downloaded").waitFor();
    await page.getByText(/USPS state codes/).waitFor();
  });
});

test("a record is opened from a list, by the keyboard as well, and the list is there on the way back", async () => {
  const page = await openExplorer("?dataset=semantic&query=polluted+lakes&limit=3");
  await page.getByLabel("Query").press("Control+Enter");
  await page.getByText("200 OK").waitFor();
  const found = await titles(page);
  let requests = 0;
  page.on("request", (request) => {
    if (/-api|semantic-search/.test(request.url()) && !request.url().includes("account-api")) requests++;
  });
  await page.locator(".results-title").first().press("Enter");
  await page.getByRole("heading", { name: found[0] ?? "", level: 3 }).waitFor();
  await page.getByText("funder_name", { exact: true }).waitFor();
  expect(await codeIn(page, "TypeScript")).toMatch(/client\.(grants|contracts)\.get\("/);
  await page.getByRole("button", { name: "Back to the list" }).click();
  await expect.poll(() => titles(page)).toEqual(found);
  expect(await page.getByLabel("Query").inputValue()).toBe("polluted lakes");
  expect(requests).toBe(1);

  const isRecord = (url: URL) => /\/(grants|contracts)-api\//.test(url.pathname);
  for (const refuse of [
    (route: Route) => route.abort(),
    (route: Route) => route.fulfill({ status: 404, json: { type: "about:blank", status: 404, detail: "gone" } }),
  ]) {
    await page.route(isRecord, refuse);
    await page.locator(".results-title").first().click();
    await page.getByText(/cannot be reached|404 Not Found/).waitFor();
    await page.getByRole("button", { name: "Back to the list" }).click();
    await expect.poll(() => titles(page), { message: "after a record that did not come" }).toEqual(found);
    await page.unroute(isRecord);
  }
  await page.goto(`${dashboard.origin}/explorer?dataset=grants&id=00000000-0000-4000-8000-000000000000`);
  await sendRequest(page, "404 Not Found");
  await page.getByText("There is no record with this id.").waitFor();
});

describe("the browser's history", () => {
  /** Lists and records that the page asks the API for. */
  function asked(page: Page): string[] {
    const urls: string[] = [];
    page.on("request", (request) => {
      if (/\/(grants|contracts|funders)-api/.test(request.url())) urls.push(request.url());
    });
    return urls;
  }
  const shown = async (page: Page) => ({
    states: await page.getByLabel("States").inputValue(),
    titles: await titles(page),
  });

  test("has an entry for each request that was sent, and Back and Forward have its answer without asking again", async () => {
    const page = await openExplorer("?dataset=grants&limit=3");
    const states = page.getByLabel("States");
    const requests = asked(page);
    await states.fill("OH");
    await sendRequest(page);
    const ohio = await shown(page);
    await states.fill("PA");
    // Written to the address of the entry, which is given back to Ohio when the next is sent.
    await page.waitForURL(/states=PA/);
    const answered = page.waitForResponse(/states=PA/);
    await page.getByRole("button", { name: "Send request" }).click();
    await answered;
    await expect.poll(() => titles(page)).not.toEqual(ohio.titles);
    const pennsylvania = await shown(page);
    await page.locator(".results-title").first().click();
    await page.locator(".record").waitFor();
    const before = requests.length;
    expect(before).toBe(3);
    await page.goBack();
    await expect.poll(() => shown(page)).toEqual(pennsylvania);
    await page.goBack();
    await expect.poll(() => shown(page)).toEqual(ohio);
    expect(new URL(page.url()).searchParams.get("states")).toBe("OH");
    await page.goForward();
    await expect.poll(() => shown(page)).toEqual(pennsylvania);
    await page.goForward();
    await page.locator(".record").waitFor();
    await page.getByRole("button", { name: "Back to the list" }).click();
    await expect.poll(() => shown(page)).toEqual(pennsylvania);
    expect(requests).toHaveLength(before);
  });

  test("has the answers on the way back from another page, and one entry for a request that is sent again", async () => {
    const page = await openExplorer("?dataset=funders&limit=3");
    const requests = asked(page);
    const entries = await page.evaluate(() => history.length);
    await sendRequest(page);
    const found = await titles(page);
    const again = page.waitForResponse(/funders-api/);
    await page.getByRole("button", { name: "Send request" }).click();
    await again;
    expect(await page.evaluate(() => history.length)).toBe(entries);
    await page.getByRole("link", { name: "API keys" }).click();
    await page.getByRole("heading", { name: "API keys" }).waitFor();
    await page.goBack();
    await expect.poll(() => titles(page)).toEqual(found);
    expect(requests).toHaveLength(2);
  });
});

test("all values of a repeated parameter are in the form, as in a saved search's address", async () => {
  const page = await openExplorer("?dataset=grants&category=Education&category=Health&states=OH");
  expect(await page.getByRole("combobox", { name: "Category", exact: true }).inputValue()).toBe("Education | Health");
  await page.getByText("/grants-api?states=OH&category=Education&category=Health").waitFor();
});

test("a record's documents, funder and status are links and words", async () => {
  const page = await openExplorer("?dataset=grants&limit=1&expand=details");
  await page.route(/\/grants-api\//, async (route) => {
    const response = await route.fetch();
    const record = await response.json();
    const document = {
      name: "Notice",
      url: "https://files.example.gov/notice.pdf",
      type: "application/pdf",
      size: 1_234_567,
      updated_at: null,
    };
    Object.assign(record.details, {
      documents: [document],
      contact: { name: "Ann", email: "ann@example.gov", phone: null },
    });
    await route.fulfill({ response, json: record });
  });
  await sendRequest(page);
  await page.locator(".results-title").first().click();
  const record = page.getByRole("article");
  const file = record.getByRole("link", { name: "Notice" });
  expect(await file.getAttribute("href")).toBe("https://files.example.gov/notice.pdf");
  await record.getByText("application/pdf, 1.2 MB").waitFor();
  expect(await record.getByRole("link", { name: "ann@example.gov" }).getAttribute("href")).toBe(
    "mailto:ann@example.gov",
  );
  await record.getByText(/^(Open|Posted)$/).waitFor();
  expect(await record.innerText()).not.toMatch(/[{}[\]"]\w/);
  const funder = await record.locator("div:has(> dt > code:text-is('funder_name')) a").innerText();
  await record.getByRole("link", { name: funder, exact: true }).click();
  await page.getByRole("heading", { name: funder, level: 3 }).waitFor();
  await page.getByRole("button", { name: "Back to the list" }).click();
  await page.locator(".results-title").waitFor();
});
