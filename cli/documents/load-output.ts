import type { LoadCounts } from "./load-documents.ts";

/** Lines about a load. @param unnamed files of the folder of which nothing says what they are. */
export function loadLines(counts: LoadCounts, unnamed: readonly string[]): string[] {
  const { read, unchanged, failed, unwanted, documents, passages, left } = counts;
  return [
    `read ${read} files: ${documents} documents with ${passages} passages; ${unchanged} files are as they were`,
    `${failed} files could not be had or read in full; ${left} are left for the next run`,
    `${unwanted} files are of no current opportunity`,
    ...(unnamed.length === 0
      ? []
      : [
          `${unnamed.length} files were passed over, since neither their names nor documents.json say of which address or record they are: ${unnamed
            .slice(0, 5)
            .join(", ")}${unnamed.length > 5 ? ", ..." : ""}`,
        ]),
  ];
}
