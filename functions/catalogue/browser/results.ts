/** Milliseconds without a key from which on somebody has stopped typing. */
const pauseMs = 250;

/** Parts of a list's page that follow what is asked for. The search form stays, with the text that somebody types and its focus. */
const parts = [".intro", ".columns"] as const;

/**
 * Shows lists without loading a page: as somebody types, chooses a filter, an order or a page, or goes back and forward. Each is an address as without
 * this script. What cannot be had this way is loaded as a page.
 */
export function keepResultsCurrent(): void {
  const form = document.querySelector<HTMLFormElement>("form.search");
  const field = form?.querySelector("input");
  if (form != null && field != null && document.querySelector(".results") !== null) new Results(form, field);
}

/** Whether a list is shown now: not where the server did not give it, or where somebody asked for another one meanwhile. */
type Outcome = "shown" | "failed" | "overtaken";

class Results {
  readonly #form: HTMLFormElement;
  readonly #field: HTMLInputElement;
  readonly #status = document.createElement("p");
  #timer = 0;
  #request = new AbortController();
  /** Whether the newest entry of the history is of what is being typed. */
  #isTyping = false;

  constructor(form: HTMLFormElement, field: HTMLInputElement) {
    this.#form = form;
    this.#field = field;
    Object.assign(this.#status, { className: "hidden", role: "status" });
    form.after(this.#status);
    field.addEventListener("input", () => {
      clearTimeout(this.#timer);
      this.#timer = window.setTimeout(() => void this.#followField(), pauseMs);
    });
    document.addEventListener("submit", (event) => this.#submit(event));
    document.addEventListener("click", (event) => this.#click(event));
    window.addEventListener("popstate", () => void this.#goBack());
  }

  async #followField(): Promise<void> {
    const address = addressOf(this.#form);
    if (address === location.href || (await this.#show(address)) !== "shown") return;
    // One entry for all that is typed, so that Back leads to what was there before.
    if (this.#isTyping) history.replaceState(null, "", address);
    else history.pushState(null, "", address);
    this.#isTyping = true;
  }

  #submit(event: SubmitEvent): void {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || form.method !== "get") return;
    event.preventDefault();
    const address = addressOf(form);
    this.#isTyping = false;
    if (address !== location.href) void this.#go(address);
  }

  #click(event: MouseEvent): void {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
    if (link === null || event.defaultPrevented || !isPlain || !this.#isList(link)) return;
    event.preventDefault();
    void this.#go(link.href, link);
  }

  /** Whether a link leads to a list of the same dataset, by its address. */
  #isList(link: HTMLAnchorElement): boolean {
    const isSamePage = link.hash !== "" && link.pathname === location.pathname && link.search === location.search;
    const action = new URL(this.#form.action);
    return (
      !isSamePage &&
      link.origin === action.origin &&
      link.pathname === action.pathname &&
      this.#isSameDataset(link.href)
    );
  }

  #isSameDataset(address: string): boolean {
    const dataset = new FormData(this.#form).get("dataset");
    return new URL(address).searchParams.get("dataset") === dataset;
  }

  /** Shows a list, as an entry of the history of its own. The focus goes to what was chosen where it is there again, else to the results. */
  async #go(address: string, chosen?: HTMLAnchorElement): Promise<void> {
    const place = chosen?.closest("[aria-labelledby]")?.getAttribute("aria-labelledby");
    const name = chosen?.querySelector("[dir]")?.textContent;
    const outcome = await this.#show(address);
    if (outcome === "failed") return location.assign(address);
    if (outcome === "overtaken") return;
    history.pushState(null, "", address);
    this.#isTyping = false;
    this.#writeField();
    const links = [...document.querySelectorAll<HTMLAnchorElement>(`[aria-labelledby="${CSS.escape(place ?? "")}"] a`)];
    const again =
      place === "results" ? undefined : links.find((link) => link.querySelector("[dir]")?.textContent === name);
    if (again !== undefined) return again.focus({ preventScroll: true });
    const heading = document.querySelector<HTMLElement>("#results");
    if (chosen === undefined) return;
    heading?.setAttribute("tabindex", "-1");
    heading?.focus({ preventScroll: true });
    heading?.scrollIntoView({ block: "nearest" });
  }

  async #goBack(): Promise<void> {
    clearTimeout(this.#timer);
    this.#isTyping = false;
    // Another page of the catalogue, or a part of this one.
    const outcome = this.#isSameDataset(location.href) ? await this.#show(location.href) : "failed";
    if (outcome === "failed") return location.reload();
    if (outcome === "shown") this.#writeField();
  }

  #writeField(): void {
    this.#field.value = new URL(location.href).searchParams.get("search") ?? "";
  }

  /** Puts the list at an address in place of the one that is shown. */
  async #show(address: string): Promise<Outcome> {
    clearTimeout(this.#timer);
    this.#request.abort();
    const request = new AbortController();
    this.#request = request;
    let page: Document | undefined;
    try {
      const answer = await fetch(address, { signal: request.signal });
      if (answer.ok) page = new DOMParser().parseFromString(await answer.text(), "text/html");
    } catch {
      // No network, or overtaken.
    }
    if (request.signal.aborted) return "overtaken";
    return page !== undefined && this.#replace(page) ? "shown" : "failed";
  }

  #replace(page: Document): boolean {
    const pairs = parts.map((part) => [document.querySelector(part), page.querySelector(part)] as const);
    const form = page.querySelector("form.search");
    if (form === null || pairs.some((pair) => pair.includes(null))) return false;
    for (const [shown, next] of pairs) shown?.replaceWith(next as Element);
    // Pages of topics and states have a way to them, the others none.
    document.querySelector(".trail")?.remove();
    document.querySelector(".intro")?.before(...page.querySelectorAll(".trail"));
    for (const hidden of this.#form.querySelectorAll("input[type=hidden]")) hidden.remove();
    this.#form.append(...form.querySelectorAll("input[type=hidden]"));
    document.title = page.title;
    this.#status.textContent = document.querySelector("#results")?.textContent ?? "";
    return true;
  }
}

/** Address to which a form leads, without its empty fields. */
function addressOf(form: HTMLFormElement): string {
  const url = new URL(form.action);
  for (const [name, value] of new FormData(form)) {
    if (typeof value === "string" && value.trim() !== "") url.searchParams.append(name, value.trim());
  }
  return url.href;
}
