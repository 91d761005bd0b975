import { fieldsOf } from "../../ingest/mapping/field-name.ts";
import { sources } from "../../ingest/sources/registry.ts";
import { databaseUrlHelp } from "../database.ts";

const generic = [
  ["ndjson", "one JSON object a line, with the options at the end"],
  ["csv", "a header line and commas, with the same options"],
];
const fullSources = ` (default for ${sources
  .filter(({ isFull }) => isFull)
  .map(({ name }) => name)
  .join(", ")})`;

/** What --help prints. */
export const help = `Imports grants, contracts or funders from the files that their publishers give out.

  npm run import -- SOURCE FILE... [options]

FILE is a path, or - for standard input; it may be packed with zip or gzip. Importing a file again
changes nothing; importing a newer one changes the records that differ. SOURCE is one of

${[...sources.map(({ name, about }) => [name, about]), ...generic].map(([name = "", about]) => `  ${name.padEnd(21)} ${about}`).join("\n")}

  --full                the input is all that the source lists: records that it does not have are
                        archived, and come back when they return${fullSources}
  --partial             the input is a part of what the source lists: nothing is archived
  --force               archives even when that is more than a fifth of the source's records, or rows
                        could not be read; takes a file that lacks the line break at its end, which
                        the source's files had before, as whole
  --rejects FILE        where rejected and repeated rows go (default: <file name>.rejects.ndjson in
                        the current folder; made only when there are any)
  --no-fit              does not fit the lexicon afterwards; by default that is done when a fifth of
                        the records have come since the last fit (npm run lexicon does it any time)
  --places HOW          guess: states are read out of addresses and text (default); exact: only a
                        state's code or name, or a list of them, counts
  --dry-run             reads and checks everything, and writes nothing but rejects
  ${databaseUrlHelp}
  --help                this text

Of ndjson and csv, whose columns may be anybody's:

  --type TYPE           grants, contracts or funders
  --map FIELD=COLUMN    the column that fills a field; several with commas between, or with --map
                        again: lists and long texts take them all, other fields the first that is
                        not blank. In ndjson, a.b is member b of a. Without --map, a field takes the
                        column of its own name.
  --set FIELD=VALUE     a value for every row; with --map as well, for the rows that have none
  --pad FIELD=WIDTH     puts leading zeros back: --pad source_id=9
                        --set states=abroad: places without a state of their own are in none
  --dates ORDER         what comes first in dates such as 05/06/2026: iso (the year; others are rejected),
                        dmy or mdy. By default a column with a day above 12 in first place has the day
                        first, and any other the month; one that has both is rejected
  --source NAME         where the records are from; with source_id, it makes a record's identity
                        (default: the file's name; required for -)

Fields of grants:    ${wrapped(fieldsOf("grants"))}
Fields of contracts: those, and ${fieldsOf("contracts")
  .filter((field) => !fieldsOf("grants").includes(field))
  .join(", ")}
Fields of funders:   ${wrapped(fieldsOf("funders"))}

Exit status: 0 every row is in (or repeats one that is), 3 some rows were rejected and the rest are
in, 1 the import failed, 2 it was called wrongly or a file does not exist, 4 it would archive more
than a fifth of the source's records, or it is not known which. See docs/importing.md and
docs/sources.md.`;

/** Fields with commas, in lines that end before column 100. */
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
