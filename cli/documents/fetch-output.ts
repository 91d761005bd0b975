import type { FetchCounts } from "./fetch-documents.ts";
import type { DocumentFolder } from "./folder.ts";

/** Lines about a run. */
export function fetchLines(counts: FetchCounts): string[] {
  const { fetched, unchanged, failed, closed, left, bytes, removed } = counts;
  return [
    `fetched ${fetched} documents (${(bytes / 1e6).toFixed(1)} MB); ${unchanged} are as they were`,
    `${failed} could not be had${failed === 0 ? "" : ": npm run documents -- failed"}; ${closed} are closed to programs`,
    `${left} are left for the next run; ${removed} that no current opportunity has were removed`,
  ];
}

/** A line for each document of a folder that could not be had at the last look. */
export function failureLines({ documents }: DocumentFolder): string[] {
  return [...documents].flatMap(([url, { reason, file }]) =>
    reason === null ? [] : [`${url} ${reason}${file === null ? "" : `; ${file} is from before`}`],
  );
}
