import { SaxesParser } from "saxes";

/** What is done with a part's elements, in order. Names are without prefix. */
export interface XmlHandlers {
  open(name: string, attributes: Readonly<Record<string, string>>): void;
  close?(name: string): void;
  text?(text: string): void;
  /** Whether the rest is not needed. Asked every 64 KB. Default: never. */
  isOver?(): boolean;
}

const pieceBytes = 64 * 1024;

/**
 * Reads XML in UTF-8 as a stream. Entities beyond XML's own five are errors, so that none grows.
 *
 * @throws {Error} when it is not well-formed.
 */
export function readXml(xml: Uint8Array, { open, close, text, isOver = () => false }: XmlHandlers): void {
  const parser = new SaxesParser({ position: false, xmlns: false });
  parser.on("opentag", ({ name, attributes }) => open(localName(name), attributes));
  if (close !== undefined) parser.on("closetag", ({ name }) => close(localName(name)));
  if (text !== undefined) {
    parser.on("text", text);
    parser.on("cdata", text);
  }
  const decoder = new TextDecoder();
  for (let start = 0; start < xml.length; start += pieceBytes) {
    parser.write(decoder.decode(xml.subarray(start, start + pieceBytes), { stream: true }));
    if (isOver()) return;
  }
  parser.close();
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}
