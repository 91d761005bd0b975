import type { Connection } from "../database/connection.ts";
import { countOpportunities, deleteRecord, findRecord, hideRecord, type StoredRecord } from "../database/records.ts";
import { print, printError } from "../local/print.ts";
import { runCommand } from "./command.ts";
import { databaseUrlHelp, withDatabase } from "./database.ts";
import { UsageError } from "./options.ts";
import { textTable } from "./table.ts";

const help = `Shows, hides or deletes one record, such as one that its author wants taken down.

usage: npm run record -- show ID
       npm run record -- hide ID     take a grant or contract out of lists and searches, without its texts, until its
                                     publisher changes it. By its id it still answers
       npm run record -- delete ID   delete it, with its former values and the webhook events about it. The next import
                                     brings it back if its file still has it, and customers are not told

ID is the record's id, as the API gives it. docs/operate/remove.md says what else may have a copy.

options:
  ${databaseUrlHelp}
  --help`;

const actions: Record<string, (connection: Connection, record: StoredRecord) => Promise<number>> = {
  async show(_, record) {
    print(textTable([record]));
    return 0;
  },
  async hide(connection, record) {
    if (record.dataset === "funders") return fail("A funder cannot be hidden, since it is never archived.");
    const { changes, events } = await hideRecord(connection, record);
    print(`hid ${record.source} ${record.source_id}; deleted ${changes} former values and ${events} events`);
    return 0;
  },
  async delete(connection, record) {
    const opportunities = record.dataset === "funders" ? await countOpportunities(connection, record.id) : 0;
    if (opportunities > 0) return fail(`${opportunities} grants and contracts name this funder: delete them first.`);
    const { changes, events } = await deleteRecord(connection, record);
    print(`deleted ${record.source} ${record.source_id}, ${changes} former values and ${events} events`);
    return 0;
  },
};

await runCommand({
  help,
  allowPositionals: true,
  options: { "database-url": { type: "string" } },
  async run({ values, positionals: [name = "", id, ...rest] }) {
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
    if (action === undefined) throw new UsageError("Say what to do: show, hide or delete.");
    if (id === undefined || !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) {
      throw new UsageError(`${name} needs the id of a record.`);
    }
    if (rest.length > 0) throw new UsageError(`"${rest[0]}" is one word too many.`);
    let status = 0;
    await withDatabase(values["database-url"], async (connection) => {
      const record = await findRecord(connection, id);
      status = record === undefined ? fail(`There is no record with the id ${id}.`) : await action(connection, record);
    });
    return status;
  },
});

function fail(message: string): number {
  printError(message);
  return 1;
}
