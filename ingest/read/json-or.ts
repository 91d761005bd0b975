import type { ReadRows } from "./row.ts";

/** Returns a reader that uses `json` for a file that begins with a brace or bracket, and `other` for any other file. */
export function jsonOr(json: ReadRows, other: ReadRows): ReadRows {
  return async function* (chunks) {
    const iterator = chunks[Symbol.asyncIterator]();
    const head: Uint8Array[] = [];
    let beginning = "";
    while (beginning === "") {
      const { done, value } = await iterator.next();
      if (done) break;
      head.push(value);
      beginning = new TextDecoder().decode(value).trimStart();
    }
    const whole = async function* () {
      yield* head;
      yield* { [Symbol.asyncIterator]: () => iterator };
    };
    yield* (/^[{[]/.test(beginning) ? json : other)(whole());
  };
}
