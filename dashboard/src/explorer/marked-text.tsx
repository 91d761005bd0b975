import { Fragment } from "react";
import type { Highlight } from "../../../shared/responses/highlights.ts";

/** A passage with what was searched for marked. */
export function MarkedText({ found: { text, ranges } }: { found: Highlight }) {
  return (
    <>
      {ranges.map(({ start, end }, index) => (
        <Fragment key={start}>
          {text.slice(ranges[index - 1]?.end ?? 0, start)}
          <mark>{text.slice(start, end)}</mark>
        </Fragment>
      ))}
      {text.slice(ranges.at(-1)?.end ?? 0)}
    </>
  );
}
