import { parseArgs } from "node:util";
import { createAccount, defineTier, listAccounts, setTier } from "../accounts/accounts.ts";
import { runCommand, UsageError } from "./command.ts";
import { databaseUrlHelp, openDatabase } from "./database.ts";
import { textTable } from "./table.ts";

const help = `Opens accounts and puts them on tiers.

usage: npm run account -- create EMAIL [--tier NAME]      open an account (default tier: developer)
       npm run account -- tier EMAIL NAME                 put an account on a tier, at once
       npm run account -- define-tier NAME --quota N      create or change a tier of N requests a day;
                          [--no-api-access]               -1 is unlimited
       npm run account -- list

options:
  ${databaseUrlHelp}
  --help`;

await runCommand(async (words) => {
  const { values, positionals } = parseArgs({
    args: words,
    allowPositionals: true,
    options: {
      tier: { type: "string", default: "developer" },
      quota: { type: "string" },
      "no-api-access": { type: "boolean", default: false },
      "database-url": { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    console.log(help);
    return 0;
  }
  const [action, first, second, ...rest] = positionals;
  if (rest.length > 0) throw new UsageError(`"${rest[0]}" is one word too many.`);
  // Everything that can be wrong with the words is found before the database is opened.
  const quota = action === "define-tier" ? quotaOf(values.quota) : 0;
  if (action === "create" && !/^\S+@\S+$/.test(first ?? "")) throw new UsageError("create needs an e-mail address.");
  if (action === "tier" && second === undefined) throw new UsageError("tier needs an e-mail address and a tier.");
  if (action === "define-tier" && first === undefined) throw new UsageError("define-tier needs a name.");
  if (!["create", "tier", "define-tier", "list"].includes(action ?? "")) {
    throw new UsageError("Say what to do: create, tier, define-tier or list.");
  }

  const connection = await openDatabase(values["database-url"]);
  try {
    if (action === "create") {
      await createAccount(connection, first ?? "", values.tier);
      console.log(`opened ${first} on the tier ${values.tier}; npm run key -- create ${first} makes it a key`);
    } else if (action === "tier") {
      await setTier(connection, first ?? "", second ?? "");
      console.log(`${first} is on the tier ${second}`);
    } else if (action === "define-tier") {
      await defineTier(connection, first ?? "", quota, !values["no-api-access"]);
      console.log(`the tier ${first} has ${quota === -1 ? "unlimited requests" : `${quota} requests a day`}`);
    } else {
      console.log(textTable(await listAccounts(connection)));
    }
  } finally {
    await connection.close();
  }
  return 0;
});

function quotaOf(text: string | undefined): number {
  if (text === undefined || !/^(-1|\d{1,15})$/.test(text)) {
    throw new UsageError("--quota must be a number of requests a day, or -1 for unlimited.");
  }
  return Number(text);
}
