import type { Highlight } from "../../../shared/responses/highlights.ts";
import type { Passage } from "../../../shared/responses/passages.ts";
import { MarkedText } from "./marked-text.tsx";

/** Characters of a passage that a row has room for. */
const longest = 240;

/** Passages of a record's documents, each with its page. */
export function DocumentPassages({ passages }: { passages: readonly Passage[] | undefined }) {
  if (passages === undefined || passages.length === 0) return null;
  return (
    <ul className="results-documents small">
      {passages.map((passage) => (
        <li key={`${passage.document_id} ${passage.text.slice(0, 80)}`}>
          <Source passage={passage} /> <MarkedText found={excerptOf(passage)} />
        </li>
      ))}
    </ul>
  );
}

/** Which document and page it is. */
function Source({ passage: { name, url, page } }: { passage: Passage }) {
  const shown = [name ?? hostOf(url) ?? "Document", ...(page === null ? [] : [`page ${page}`])].join(", ");
  return url !== null && hostOf(url) !== undefined ? (
    <a href={url} target="_blank" rel="noreferrer">
      {shown}
    </a>
  ) : (
    <span>{shown}</span>
  );
}

/** Host of a web address; undefined of anything else. */
function hostOf(url: string | null): string | undefined {
  return url !== null && /^https?:/i.test(url) && URL.canParse(url) ? new URL(url).host : undefined;
}

/** The part of a passage around the first words that are marked. */
function excerptOf({ text, ranges }: Passage): Highlight {
  const first = ranges[0]?.start ?? 0;
  const before = text.slice(Math.max(0, first - longest / 3), first);
  const offset = first - before.length + (/^\S*\s/.exec(first > longest / 3 ? before : "")?.[0].length ?? 0);
  return {
    text: text.slice(offset, offset + longest),
    offset,
    ranges: ranges
      .filter(({ start, end }) => start >= offset && end <= offset + longest)
      .map(({ start, end }) => ({ start: start - offset, end: end - offset })),
  };
}
