import type { ReactNode } from "react";

/** A string (with a colon behind it when it is a name), a number, or a word. */
const tokens = /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/g;

/** Formatted JSON with its names, strings and numbers in colours of their own. */
export function colouredJson(text: string): ReactNode[] {
  const pieces: ReactNode[] = [];
  let end = 0;
  for (const match of text.matchAll(tokens)) {
    const [whole, string, colon = "", word] = match;
    if (match.index > end) pieces.push(text.slice(end, match.index));
    const kind = word !== undefined ? "code-number" : colon === "" ? "code-string" : "code-key";
    pieces.push(
      <span key={match.index} className={kind}>
        {string ?? word}
      </span>,
      colon,
    );
    end = match.index + whole.length;
  }
  pieces.push(text.slice(end));
  return pieces;
}
