import { countWords, type Passage } from "../../ingest/documents/passages.ts";
import { printableJson } from "../../shared/log/printable.ts";
import type { ReadFile } from "./named-file.ts";

/** Lines about a file: its type and size, and its facts with their proof; or why it could not be read. */
export function summaryLines({ file, document }: ReadFile): string[] {
  if (document.kind === "unreadable") return [`${file}: ${document.message}`];
  const { passages, facts } = document;
  const words = passages.reduce((sum, { text }) => sum + countWords(text), 0);
  const pages = document.pages === null ? [] : [numberOf(document.pages, "page")];
  const without = document.pagesWithoutText.length;
  return [
    `${file}: ${document.mediaType}, ${[...pages, numberOf(passages.length, "passage"), numberOf(words, "word")].join(", ")}`,
    ...(without === 0
      ? []
      : [`  pages without text: ${document.pagesWithoutText.slice(0, 20).join(", ")}${without > 20 ? " ..." : ""}`]),
    ...(document.isCut ? ["  the end of its text is left out: it is longer than 10,000,000 characters"] : []),
    ...facts.map(
      ({ name, value, passage, sentence }) =>
        `  ${name}: ${value} (passage ${passage}: ${sentence.replaceAll("\n", " / ")})`,
    ),
  ];
}

/** Lines of each passage: its number, pages and headings, then its text, indented. */
export function passageLines({ document }: ReadFile): string[] {
  if (document.kind === "unreadable") return [];
  return document.passages.flatMap(({ number, firstPage, lastPage, headingPath, text }) => {
    const pages =
      firstPage === null ? "" : firstPage === lastPage ? `, page ${firstPage}` : `, pages ${firstPage} to ${lastPage}`;
    return [
      "",
      `  ${number}${pages}${headingPath === "" ? "" : `: ${headingPath}`}`,
      ...text.split("\n").map((line) => `    ${line}`),
    ];
  });
}

/** A JSON object for each passage; one with the reason where the file could not be read. */
export function jsonLines({ file, document }: ReadFile): string[] {
  if (document.kind === "unreadable")
    return [printableJson({ file, reason: document.reason, message: document.message })];
  const { passages, facts } = document;
  const factsIn = ({ number }: Passage) =>
    facts.filter(({ passage }) => passage === number).map(({ name, value, sentence }) => ({ name, value, sentence }));
  return passages.map((passage) =>
    printableJson({
      file,
      passage: passage.number,
      first_page: passage.firstPage,
      last_page: passage.lastPage,
      heading_path: passage.headingPath,
      text: passage.text,
      facts: factsIn(passage),
    }),
  );
}

function numberOf(count: number, noun: string): string {
  return `${count.toLocaleString("en-US")} ${noun}${count === 1 ? "" : "s"}`;
}
