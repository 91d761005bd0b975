import { Parser } from "htmlparser2";

/** An element that a page has, with its text. */
export interface Element {
  name: string;
  attributes: Readonly<Record<string, string>>;
  text: string;
}

/** A page as a browser reads it: its elements in order. */
export class Page {
  readonly elements: Element[] = [];

  constructor(readonly markup: string) {
    const open: Element[] = [];
    const parser = new Parser({
      onopentag: (name, attributes) => {
        const element = { name, attributes, text: "" };
        this.elements.push(element);
        open.push(element);
      },
      ontext(text) {
        for (const element of open) element.text += text;
      },
      onclosetag: () => void open.pop(),
    });
    parser.end(markup);
  }

  all(name: string, attributes: Readonly<Record<string, string>> = {}): Element[] {
    return this.elements.filter(
      (element) =>
        element.name === name && Object.entries(attributes).every(([key, value]) => element.attributes[key] === value),
    );
  }

  text(name: string, attributes?: Readonly<Record<string, string>>): string {
    return this.all(name, attributes)[0]?.text.replaceAll(/\s+/g, " ").trim() ?? "";
  }

  /** Addresses of links. */
  links(): string[] {
    return this.all("a").map(({ attributes }) => attributes.href ?? "");
  }

  canonical(): string | undefined {
    return this.all("link", { rel: "canonical" })[0]?.attributes.href;
  }

  isHidden(): boolean {
    return this.all("meta", { name: "robots" })[0]?.attributes.content?.includes("noindex") ?? false;
  }

  /** What it tells search engines. */
  data(): Record<string, unknown>[] {
    return this.all("script", { type: "application/ld+json" }).map(
      ({ text }) => JSON.parse(text) as Record<string, unknown>,
    );
  }
}
