import { confirmClock, readClocks } from "../database/clock.ts";
import type { Connection } from "../database/connection.ts";
import { print } from "../local/print.ts";
import { describeDuration } from "../shared/database/clock-offset.ts";
import { runCommand } from "./command.ts";
import { databaseUrlHelp, withDatabase } from "./database.ts";
import { UsageError } from "./options.ts";

const help = `Shows the database's clocks, and confirms the machine's. What deletes, expires, closes or announces goes by
the bounded clock. It follows the machine's clock at once over a few minutes, and slowly over a jump or a long stop.

usage: npm run clock             show both clocks
       npm run clock -- confirm  the machine's clock is right: follow it at once, also back. After a long stop, what is
                                 due then happens within minutes: old rows go, deadlines act and are announced

options:
  ${databaseUrlHelp}
  --help`;

await runCommand({
  help,
  allowPositionals: true,
  options: { "database-url": { type: "string" } },
  async run({ values, positionals: [action = "show", ...rest] }) {
    if (action !== "show" && action !== "confirm") throw new UsageError("Say show or confirm.");
    if (rest.length > 0) throw new UsageError(`"${rest[0]}" is one word too many.`);
    print(
      await withDatabase(values["database-url"], async (connection) => {
        const before = await describeClocks(connection);
        if (action === "show") return before;
        await confirmClock(connection);
        return [...before, "confirmed: the bounded clock follows the machine's from now on"];
      }),
    );
  },
});

async function describeClocks(connection: Connection): Promise<readonly string[]> {
  const { machine, bounded, ahead_seconds } = await readClocks(connection);
  const difference = describeDuration(Math.abs(ahead_seconds));
  const relation =
    Math.abs(ahead_seconds) < 1
      ? "they agree"
      : ahead_seconds > 0
        ? `the machine's clock is ${difference} ahead`
        : `the machine's clock is ${difference} behind`;
  return [`machine ${machine}`, `bounded ${bounded}`, relation];
}
