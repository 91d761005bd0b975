import { parseArgs } from "node:util";
import { createAccount, defineTier, listAccounts, setTier } from "../accounts/accounts.ts";
import { connectPostgres } from "../database/postgres.ts";
import { createSignInLink } from "../local/auth/links.ts";
import { demoEmail } from "../local/demo/keys.ts";
import { dataFolderPath, runningServer } from "../local/embedded/data-folder.ts";
import { runCommand, UsageError } from "./command.ts";
import { databaseUrlHelp, openDatabase } from "./database.ts";
import { textTable } from "./table.ts";

const help = `Opens accounts and puts them on tiers.

usage: npm run account -- create EMAIL [--tier NAME]      open an account (default tier: developer)
       npm run account -- tier EMAIL NAME                 put an account on a tier, at once
       npm run account -- define-tier NAME --quota N      create a tier with API access and N requests a
                                                          day (-1 is unlimited), or change its requests
       npm run account -- list
       npm run account -- link [EMAIL]                    print a link that signs in to the dashboard of the
                                                          running npm start, once (default: the demo account)

options:
  ${databaseUrlHelp}
  --help`;

/** What each action takes after its name. */
const wordsOf: Record<string, string[]> = {
  create: ["an e-mail address"],
  tier: ["an e-mail address", "a tier"],
  "define-tier": ["a name"],
  list: [],
  link: [],
};

await runCommand(async (words) => {
  const { values, positionals } = parseArgs({
    args: words,
    allowPositionals: true,
    options: {
      tier: { type: "string", default: "developer" },
      quota: { type: "string" },
      "database-url": { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    console.log(help);
    return 0;
  }
  if (positionals[0] === "link") {
    console.log(await signInLink(positionals.slice(1)));
    return 0;
  }
  const [action, first, second, ...rest] = positionals;
  // Everything that can be wrong with the words is found before the database is opened.
  if (action === undefined || !Object.hasOwn(wordsOf, action)) {
    throw new UsageError("Say what to do: create, tier, define-tier, list or link.");
  }
  const expected = wordsOf[action] ?? [];
  const given = [first, second, ...rest].filter((word) => word !== undefined);
  if (given.length !== expected.length || given.includes("")) {
    throw new UsageError(`${action} takes ${expected.length === 0 ? "nothing more" : expected.join(" and ")}.`);
  }
  if (action === "create" && !/^\S+@\S+$/.test(first ?? ""))
    throw new UsageError(`"${first}" is not an e-mail address.`);
  const quota = action === "define-tier" ? quotaOf(values.quota) : 0;

  const connection = await openDatabase(values["database-url"]);
  try {
    if (action === "create") {
      await createAccount(connection, first ?? "", values.tier);
      console.log(`opened ${first} on the tier ${values.tier}; npm run key -- create ${first} makes it a key`);
    } else if (action === "tier") {
      await setTier(connection, first ?? "", second ?? "");
      console.log(`${first} is on the tier ${second}`);
    } else if (action === "define-tier") {
      await defineTier(connection, first ?? "", quota);
      console.log(`the tier ${first} has ${quota === -1 ? "unlimited requests" : `${quota} requests a day`}`);
    } else {
      console.log(textTable(await listAccounts(connection)));
    }
  } finally {
    await connection.close();
  }
  return 0;
});

/** A link into the dashboard of the server that runs on this machine: elsewhere Supabase Auth mails them. */
async function signInLink([email = demoEmail("developer"), ...rest]: string[]): Promise<string> {
  if (rest.length > 0) throw new UsageError(`"${rest[0]}" is one word too many.`);
  if (!/^\S+@\S+$/.test(email)) throw new UsageError(`"${email}" is not an e-mail address.`);
  const running = runningServer(dataFolderPath());
  if (running === undefined)
    throw new UsageError("No server runs on this data folder: npm start, which prints a link itself.");
  const connection = await connectPostgres(running.database_url);
  try {
    return await createSignInLink(connection, email, running.page_url);
  } finally {
    await connection.close();
  }
}

function quotaOf(text: string | undefined): number {
  if (text === undefined || !/^(-1|\d{1,15})$/.test(text)) {
    throw new UsageError("--quota must be a number of requests a day, or -1 for unlimited.");
  }
  return Number(text);
}
