/** Milliseconds without a key from which on somebody has stopped typing. */
const pauseMs = 150;

/** What `/funding/suggest` answers. */
interface Suggested {
  kind: string;
  label: string;
  path: string;
}

/** Lets the search field suggest pages while somebody types, after the pattern "editable combobox with list autocomplete" of the ARIA Authoring Practices Guide. */
export function suggestPages(): void {
  const field = document.querySelector<HTMLInputElement>("input[data-suggestions]");
  if (field !== null) new Suggestions(field);
}

class Suggestions {
  readonly #field: HTMLInputElement;
  readonly #list = document.createElement("ul");
  readonly #status = document.createElement("p");
  #timer = 0;
  #request = new AbortController();
  #pages: readonly Suggested[] = [];
  /** Place of the marked suggestion; -1 where none is. */
  #at = -1;

  constructor(field: HTMLInputElement) {
    this.#field = field;
    Object.assign(this.#list, { id: "suggestions", className: "suggestions", role: "listbox", hidden: true });
    this.#list.setAttribute("aria-label", "Suggestions");
    Object.assign(this.#status, { className: "hidden", role: "status" });
    field.after(this.#list, this.#status);
    const attributes = {
      role: "combobox",
      "aria-autocomplete": "list",
      "aria-expanded": "false",
      "aria-controls": this.#list.id,
    };
    for (const [name, value] of Object.entries(attributes)) field.setAttribute(name, value);
    field.addEventListener("input", () => {
      clearTimeout(this.#timer);
      this.#timer = window.setTimeout(() => void this.#suggest(), pauseMs);
    });
    field.addEventListener("keydown", (event) => this.#press(event));
    field.addEventListener("blur", () => this.#close());
    field.form?.addEventListener("submit", () => this.#close());
    // Else the field would lose the focus, and the list close, before the click.
    this.#list.addEventListener("mousedown", (event) => event.preventDefault());
    this.#list.addEventListener("click", (event) => {
      const option = event.target instanceof Element ? event.target.closest("li") : null;
      if (option !== null) this.#go([...this.#list.children].indexOf(option));
    });
  }

  #press(event: KeyboardEvent): void {
    if (event.isComposing || this.#list.hidden) return;
    if (event.key === "Escape") this.#close();
    else if (event.key === "ArrowDown") this.#mark(this.#at + 1 < this.#pages.length ? this.#at + 1 : -1);
    else if (event.key === "ArrowUp") this.#mark(this.#at < 0 ? this.#pages.length - 1 : this.#at - 1);
    else if (event.key === "Enter" && this.#at >= 0) this.#go(this.#at);
    else return;
    event.preventDefault();
  }

  async #suggest(): Promise<void> {
    this.#request.abort();
    this.#request = new AbortController();
    const typed = this.#field.value.trim();
    if (typed.length < 2) return this.#show([]);
    try {
      const address = `${this.#field.dataset.suggestions}${encodeURIComponent(typed)}`;
      const answer = await fetch(address, { signal: this.#request.signal });
      // Too many requests, or a server at rest: the field searches all the same.
      if (answer.ok) this.#show(await answer.json());
    } catch {
      // Somebody typed on.
    }
  }

  #show(found: readonly Suggested[]): void {
    this.#pages = found;
    this.#mark(-1);
    this.#list.replaceChildren(...found.map(optionOf));
    this.#list.hidden = found.length === 0;
    this.#field.setAttribute("aria-expanded", String(found.length > 0));
    const count = found.length === 1 ? "1 suggestion" : `${found.length} suggestions`;
    this.#status.textContent = found.length === 0 ? "" : count;
  }

  #mark(next: number): void {
    this.#list.children[this.#at]?.setAttribute("aria-selected", "false");
    this.#at = next;
    const option = this.#list.children[next];
    option?.setAttribute("aria-selected", "true");
    option?.scrollIntoView({ block: "nearest" });
    if (option === undefined) this.#field.removeAttribute("aria-activedescendant");
    else this.#field.setAttribute("aria-activedescendant", option.id);
  }

  #close(): void {
    clearTimeout(this.#timer);
    this.#request.abort();
    this.#show([]);
  }

  #go(index: number): void {
    location.assign(`${this.#field.dataset.base}${this.#pages[index]?.path}`);
  }
}

function optionOf({ kind, label }: Suggested, index: number): HTMLElement {
  const option = document.createElement("li");
  const name = Object.assign(document.createElement("span"), { textContent: label, dir: "auto" });
  const what = Object.assign(document.createElement("span"), { textContent: kind, className: "kind" });
  Object.assign(option, { id: `suggestion-${index}`, role: "option" });
  option.setAttribute("aria-selected", "false");
  option.append(name, " ", what);
  return option;
}
