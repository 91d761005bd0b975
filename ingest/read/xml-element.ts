import { SaxesParser } from "saxes";
import { maxLevels, tooDeepMessage } from "./bounds.ts";

interface OpenElement {
  name: string;
  /** Children by name. null while there is none; the element's value is then its text. */
  children: Record<string, unknown> | null;
  text: string;
}

/**
 * Parses an element.
 *
 * @returns its children by name, with its own name as `element`, and the first fault in its XML if there is one. The
 *   value of a child without children is its text. Several children of one name are a list.
 */
export function parseElement(xml: string): { values: Record<string, unknown>; fault: string | undefined } {
  const parser = new SaxesParser({ position: false });
  const root: OpenElement = { name: "", children: {}, text: "" };
  const open = [root];
  let fault: string | undefined;
  /** Number of open elements that are too deep. They are dropped. */
  let dropped = 0;
  const addText = (text: string) => {
    const element = open.at(-1);
    if (element !== undefined) element.text += text;
  };
  parser.on("error", ({ message }) => {
    fault ??= message.replace(/\.$/, "");
  });
  parser.on("opentag", ({ name }) => {
    if (open.length <= maxLevels) open.push({ name: removePrefix(name), children: null, text: "" });
    else {
      dropped++;
      fault ??= `it ${tooDeepMessage}`;
    }
  });
  parser.on("text", addText);
  parser.on("cdata", addText);
  parser.on("closetag", () => {
    if (dropped > 0) dropped--;
    else close(open);
  });
  parser.write(xml).close();
  // Elements that a fault left open are closed here, with their content so far.
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

function removePrefix(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}
