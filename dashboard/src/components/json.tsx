import type { ReactNode } from "react";

/** A string (a name, if a colon follows), a number, or a literal. */
const tokens = /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/g;

/** Formatted JSON with syntax colours. */
export function highlightJson(text: string): ReactNode[] {
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
