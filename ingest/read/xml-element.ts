import { SaxesParser } from "saxes";

interface OpenElement {
  name: string;
  /** Children by name; null while there is none, and the element is its text. */
  children: Record<string, unknown> | null;
  text: string;
}

/**
 * The values of an element: its children by name, and its own name as `element`. An element without children is
 * its text; several of one name are a list. With them, the first fault in its XML, where there is one.
 */
export function parseElement(xml: string): { values: Record<string, unknown>; fault: string | undefined } {
  const parser = new SaxesParser({ position: false });
  const root: OpenElement = { name: "", children: {}, text: "" };
  const open = [root];
  let fault: string | undefined;
  const addText = (text: string) => {
    const element = open.at(-1);
    if (element !== undefined) element.text += text;
  };
  parser.on("error", ({ message }) => {
    fault ??= message.replace(/\.$/, "");
  });
  parser.on("opentag", ({ name }) => open.push({ name: withoutPrefix(name), children: null, text: "" }));
  parser.on("text", addText);
  parser.on("cdata", addText);
  parser.on("closetag", () => close(open));
  parser.write(xml).close();
  // What a fault left open counts as far as it was read.
  while (open.length > 1) close(open);
  const [[element, children] = []] = Object.entries(root.children ?? {});
  return { values: { element, ...(typeof children === "object" ? children : {}) }, fault };
}

function close(open: OpenElement[]): void {
  const element = open.pop();
  const parent = open.at(-1);
  if (element === undefined || parent === undefined) return;
  parent.children ??= {};
  addChild(parent.children, element.name, element.children ?? element.text);
}

function addChild(children: Record<string, unknown>, name: string, value: unknown): void {
  const known = Object.hasOwn(children, name) ? children[name] : undefined;
  if (known === undefined) children[name] = value;
  else if (Array.isArray(known)) known.push(value);
  else children[name] = [known, value];
}

function withoutPrefix(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}
