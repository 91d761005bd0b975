import type { Connection } from "../database/connection.ts";
import { connectPostgres } from "../database/postgres.ts";
import { createSignInLink, linkMinutes } from "../local/auth/links.ts";
import { demoEmail } from "../local/demo/keys.ts";
import { dataFolderPath, runningServer } from "../local/embedded/data-folder.ts";
import { actions, type Options } from "./account/actions.ts";
import { runCommand, UsageError } from "./command.ts";
import { databaseUrlHelp, openDatabase } from "./database.ts";
import { parseArgs } from "./parse-args.ts";

const statuses = ["active", "trialing", "past_due", "canceled", "unpaid", "paused", "incomplete", "incomplete_expired"];

const help = `Opens accounts, changes their subscriptions, and says who signs in to them.

usage: npm run account -- list
       npm run account -- show EMAIL
       npm run account -- create EMAIL [--tier NAME]      open an account (default tier: developer)
       npm run account -- change EMAIL [options]          change its subscription, at once
       npm run account -- attach EMAIL USER_ID            let this user of Supabase Auth sign in to it, and no other
       npm run account -- detach EMAIL                    let whoever confirms its e-mail address sign in to it
       npm run account -- customer EMAIL CUSTOMER_ID      say that this Stripe customer pays for it
       npm run account -- link [EMAIL]                    print a link that signs in to the dashboard of the running
                                                          npm start, once, within ${linkMinutes} minutes (default: the demo
                                                          account)

options of change:
  --tier NAME           the tier; by itself it means active and without an end
  --status STATUS       ${statuses.slice(0, 4).join(", ")},
                        ${statuses.slice(4).join(", ")};
                        of these, active, trialing and past_due give access
  --period-end DATE     when it ends, as 2027-01-31 (its first moment in UTC) or 2027-01-31T12:00:00Z; none
                        for no end
  What Stripe says of the account's own subscription there comes before, with its next event.

options:
  ${databaseUrlHelp}
  --help`;

await runCommand(async (words) => {
  const { values, positionals } = parseArgs({
    args: words,
    allowPositionals: true,
    options: {
      tier: { type: "string" },
      status: { type: "string" },
      "period-end": { type: "string" },
      "database-url": { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    console.log(help);
    return 0;
  }
  const [action = "", ...given] = positionals;
  const options = { tier: values.tier, status: statusOf(values.status), periodEnd: endOf(values["period-end"]) };
  if (action === "link") {
    if (values["database-url"] !== undefined) {
      throw new UsageError("link is for npm start; elsewhere Supabase Auth mails the links.");
    }
    console.log(await signInLink(given));
    return 0;
  }
  const work = workOf(action, given, options);
  const connection = await openDatabase(values["database-url"]);
  try {
    console.log(await work(connection));
  } finally {
    await connection.close();
  }
  return 0;
});

/** What an action does. Everything that can be wrong with the words is found before the database is opened. */
function workOf(name: string, words: string[], options: Options): (connection: Connection) => Promise<string> {
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (action === undefined) throw new UsageError(`Say what to do: ${Object.keys(actions).join(", ")} or link.`);
  if (words.length !== action.takes.length || words.includes("")) {
    throw new UsageError(`${name} takes ${action.takes.length === 0 ? "nothing more" : action.takes.join(" and ")}.`);
  }
  const [email, id] = words;
  if (email !== undefined) requireAddress(email);
  if (name === "attach" && !/^[0-9a-f-]{36}$/i.test(id ?? "")) throw new UsageError(`"${id}" is not a user's id.`);
  const given = (Object.keys(options) as (keyof Options)[]).filter((option) => options[option] !== undefined);
  const stranger = given.find((option) => !action.options?.includes(option));
  if (stranger !== undefined)
    throw new UsageError(`${name} does not take --${stranger === "periodEnd" ? "period-end" : stranger}.`);
  if (name === "change" && given.length === 0) {
    throw new UsageError("Say what to change: --tier, --status or --period-end.");
  }
  return (connection) => action.run(connection, words, options);
}

/** A link into the dashboard of the server that runs on this machine: elsewhere Supabase Auth mails them. */
async function signInLink([email = demoEmail("developer"), ...rest]: string[]): Promise<string> {
  if (rest.length > 0) throw new UsageError(`"${rest[0]}" is one word too many.`);
  requireAddress(email);
  const running = runningServer(dataFolderPath());
  if (running === undefined) {
    throw new UsageError("No server runs on this data folder: npm start, which prints a link itself.");
  }
  const connection = await connectPostgres(running.database_url);
  try {
    return await createSignInLink(connection, email, running.page_url);
  } finally {
    await connection.close();
  }
}

function requireAddress(text: string): void {
  if (!/^\S+@\S+$/.test(text)) throw new UsageError(`"${text}" is not an e-mail address.`);
}

function statusOf(text: string | undefined): string | undefined {
  if (text === undefined || statuses.includes(text)) return text;
  throw new UsageError(`--status must be one of ${statuses.join(", ")}.`);
}

function endOf(text: string | undefined): Date | "none" | undefined {
  if (text === undefined || text === "none") return text;
  const date = new Date(text);
  if (!/^\d{4}-\d\d-\d\d(T.+(Z|[+-]\d\d:\d\d))?$/.test(text) || Number.isNaN(date.getTime())) {
    throw new UsageError("--period-end must be a date, for example 2027-01-31, or none.");
  }
  return date;
}
