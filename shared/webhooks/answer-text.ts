import { maximumAnswerBytes } from "./transport.ts";

/** Bytes of an answer as text that Postgres can keep, cut at the most that is kept. */
export function answerText(parts: readonly Uint8Array[]): string {
  const bytes = new Uint8Array(
    Math.min(
      maximumAnswerBytes,
      parts.reduce((length, part) => length + part.length, 0),
    ),
  );
  let filled = 0;
  for (const part of parts) {
    const rest = part.subarray(0, bytes.length - filled);
    bytes.set(rest, filled);
    filled += rest.length;
  }
  return storable(new TextDecoder().decode(bytes));
}

/** Text without NUL characters and broken surrogates, which JSON can carry and Postgres cannot keep. */
export function storable(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\u{FFFD}");
}
