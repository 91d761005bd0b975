import { listFields } from "../../ingest/mapping/field-name.ts";
import { sources } from "../../ingest/sources/registry.ts";
import { databaseUrlHelp } from "../database.ts";

const generic = [
  ["ndjson", "JSON: one object a line, or any document, with the options at the end"],
  ["csv", "a header line and commas, with the same options"],
];
const fullSources = ` (default for ${sources
  .filter(({ isFull }) => isFull)
  .map(({ name }) => name)
  .join(", ")})`;

/** Text of --help. */
export const help = `Imports grants, contracts or funders from their publishers' files.

  npm run import -- SOURCE FILE... [options]

FILE is a path, or - for standard input; it may be packed with zip or gzip. Importing a file again
changes nothing; importing a newer one changes the records that differ. SOURCE is one of

${[...sources.map(({ name, about }) => [name, about]), ...generic].map(([name = "", about]) => `  ${name.padEnd(21)} ${about}`).join("\n")}

  --full                the input is the source's full list: records that are not in it are
                        archived, and restored when they are listed again${fullSources}
  --partial             the input is a part of the source's list: nothing is archived
  --force               archives even if that is more than a fifth of the source's records, or if rows
                        could not be read; accepts a file as complete that does not end with a line
                        break, although the source's earlier files did; imports a full list that is
                        older than the source's data, by its file's time, as the newest: otherwise
                        such a list neither changes nor archives what newer imports brought
  --rejects FILE        file for rejected and repeated rows (default: <file name>.rejects.ndjson in
                        the current folder; made only when there are any)
  --notes FILE          file for what was left out of the records, with line, field, value and reason
                        (default: beside the reject file, <file name>.notes.ndjson; made only when there
                        is any)
  --no-fit              does not fit the lexicon afterwards; by default it is fitted when the records
                        say much that it does not know, or half of them are newer than its fit
                        (npm run lexicon does it any time)
  --places HOW          guess: states are read from addresses and text (default); exact: only a
                        state's code or name, or a list of them, counts
  --time-zone ZONE      where the publisher is, such as America/Los_Angeles: a deadline ends with the
                        day there. Kept for the source (default: America/New_York)
  --dry-run             reads and checks everything, and writes only the rejects
  ${databaseUrlHelp}
  --help                this text

For ndjson and csv, which may have any columns:

  --type TYPE           grants, contracts or funders
  --map FIELD=COLUMN    the column that fills a field; may be repeated, or list several columns with
                        commas: lists and long texts take all of them, other fields the first that
                        is not blank. In ndjson, a.b is member b of a. Without --map, a field takes
                        the column of its own name.
  --set FIELD=VALUE     a value for every row; with --map as well, for the rows that have none.
                        --set states=abroad: places that name no state are outside the US
  --status WORD=VALUE   what a word in the column of statuses means: --status "On hold=closed"
  --pad FIELD=WIDTH     restores leading zeros: --pad source_id=9
  --dates ORDER         order in dates such as 05/06/2026: iso (year first; other dates are rejected),
                        dmy or mdy. Default: dmy for a column in which some first number is above 12,
                        mdy for any other; a column that would need both is rejected
  --records NAME        the list of a JSON document whose items are the records: results, data.items.
                        Default: its only list of objects
  --source NAME         the publisher of the records; a record is identified by it and its source_id
                        (default: the file's name; required for -)

Fields of grants:    ${wrapped(listFields("grants"))}
Fields of contracts: those, and ${listFields("contracts")
  .filter((field) => !listFields("grants").includes(field))
  .join(", ")}
Fields of funders:   ${wrapped(listFields("funders"))}

Exit status: 0 every row is imported (or repeats one that is), 3 some rows were rejected and the rest
imported, 1 the import failed, 2 it was called wrongly or a file does not exist, 4 nothing was archived,
because it would be more than a fifth of the source's records, or because rows could not be read. See
docs/importing.md and docs/sources.md.`;

/** Lists fields with commas, in lines that end before column 100. */
function wrapped(fields: string[]): string {
  let width = 21;
  return fields
    .map((field, index) => {
      const text = index < fields.length - 1 ? `${field},` : field;
      width += text.length + 1;
      if (width <= 100) return text;
      width = 22 + text.length;
      return `\n                     ${text}`;
    })
    .join(" ")
    .replaceAll(" \n", "\n");
}
