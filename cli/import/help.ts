import { fieldsOf } from "../../ingest/mapping/field-name.ts";
import { databaseUrlHelp } from "../database.ts";

/** What --help prints. */
export const help = `Imports grants, contracts or funders from a file.

  npm run import -- ndjson|csv FILE --type grants|contracts|funders [options]

FILE is a path, or - for standard input. ndjson is one JSON object a line; csv has a header line and
commas. Importing a file again changes nothing; importing a newer one changes the records that differ.

  --type TYPE           grants, contracts or funders
  --map FIELD=COLUMN    the column that fills a field; several with commas between, or with --map
                        again: lists and long texts take them all, other fields the first that is
                        not blank. In ndjson, a.b is member b of a. Without --map, a field takes the
                        column of its own name.
  --set FIELD=VALUE     a value for every row; with --map as well, for the rows that have none
  --pad FIELD=WIDTH     puts leading zeros back: --pad source_id=9
  --source NAME         where the records are from; with source_id, it makes a record's identity
                        (default: the file's name; required for -)
  --rejects FILE        where rejected and repeated rows go (default: <file name>.rejects.ndjson in
                        the current folder; made only when there are any)
  --no-fit              does not fit the lexicon afterwards; by default that is done when a fifth of
                        the records have come since the last fit (npm run lexicon does it any time)
  --dry-run             reads and checks everything, and writes nothing but rejects
  ${databaseUrlHelp}
  --help                this text

Fields of grants:    ${wrapped(fieldsOf("grants"))}
Fields of contracts: those, and ${fieldsOf("contracts")
  .filter((field) => !fieldsOf("grants").includes(field))
  .join(", ")}
Fields of funders:   ${wrapped(fieldsOf("funders"))}

Exit status: 0 every row is in (or repeats one that is), 3 some rows were rejected and the rest are
in, 1 the import failed, 2 it was called wrongly. See docs/importing.md.`;

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
