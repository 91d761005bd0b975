import {
  attachCustomer,
  attachUser,
  changeSubscription,
  createAccount,
  inviteMember,
  listAccounts,
  listMembers,
  readAccount,
  readAuditLog,
  removeMember,
} from "../database/accounts/accounts.ts";
import { type Connection, closeAfter } from "../database/connection.ts";
import { connectPostgres } from "../database/postgres.ts";
import { createSignInLink, linkMinutes } from "../local/auth/links.ts";
import { dataFolderPath } from "../local/caller-path.mjs";
import { demoEmail } from "../local/demo/keys.ts";
import { runningServer } from "../local/embedded/data-folder.ts";
import { type Lines, print } from "../local/print.ts";
import { isPlainLine } from "../shared/validation/fields.ts";
import { runCommand } from "./command.ts";
import { databaseUrlHelp, withDatabase } from "./database.ts";
import { parseCount, parseMoment, UsageError } from "./options.ts";
import { textTable } from "./table.ts";

const statuses = ["active", "trialing", "past_due", "canceled", "unpaid", "paused", "incomplete", "incomplete_expired"];

const help = `Opens accounts, changes their subscriptions, and chooses the users who sign in to them.

usage: npm run account -- list
       npm run account -- show EMAIL
       npm run account -- log EMAIL [--limit N]           what was changed in it, when and by whom, the latest 100 or N
       npm run account -- create EMAIL [--tier NAME]      open an account (default tier: developer)
       npm run account -- change EMAIL [options]          change its subscription, at once
       npm run account -- attach EMAIL USER_ID            make it the own account of this user of Supabase Auth, in
                                                          place of the present one; its other members stay
       npm run account -- detach EMAIL                    let the next user who confirms its e-mail address sign in to it
       npm run account -- members EMAIL                   who is in it, and who is invited
       npm run account -- invite EMAIL ADDRESS [--role owner]
                                                          let whoever signs in with ADDRESS accept to be a member of it
       npm run account -- remove EMAIL ADDRESS            take a member out of it, at once, or withdraw an invitation; the last owner stays
       npm run account -- customer EMAIL CUSTOMER_ID      record that this Stripe customer pays for it, and for no
                                                          other account any more
       npm run account -- link [EMAIL]                    print a link that signs in to the dashboard of the running
                                                          npm start, once, within ${linkMinutes} minutes (default: the demo
                                                          account)

EMAIL is the account's address. An account without one, whose own user left it, is named by its id.

options of change:
  --tier NAME           the tier; without other options, also status active and no end
  --status STATUS       ${statuses.slice(0, 4).join(", ")},
                        ${statuses.slice(4).join(", ")};
                        of these, active, trialing and past_due give access
  --period-end DATE     when it ends, as 2027-01-31 (its first moment in UTC) or 2027-01-31T12:00:00Z; none
                        for no end
  An event from Stripe overwrites these only while the account has a subscription there that gives access.

options:
  ${databaseUrlHelp}
  --help`;

/** Options of an action, checked. */
interface Options {
  tier: string | undefined;
  status: string | undefined;
  periodEnd: Date | "none" | undefined;
  limit: number | undefined;
  role: string | undefined;
}

/** An action of the command. */
interface Action {
  /** The words behind its name, as an error message calls them. */
  takes: string[];
  /** The options that it takes. */
  options?: (keyof Options)[];
  /** Does the work, and returns the lines to print. */
  run(connection: Connection, words: string[], options: Options): Promise<Lines>;
}

const actions: Record<string, Action> = {
  list: { takes: [], run: async (connection) => textTable(await listAccounts(connection)) },
  show: { takes: ["an e-mail address"], run: (connection, [email = ""]) => accountLines(connection, email) },
  log: {
    takes: ["an e-mail address"],
    options: ["limit"],
    run: async (connection, [email = ""], { limit = 100 }) => textTable(await readAuditLog(connection, email, limit)),
  },
  create: {
    takes: ["an e-mail address"],
    options: ["tier"],
    async run(connection, [email = ""], { tier = "developer" }) {
      await createAccount(connection, email, tier);
      return `opened ${email} on the tier ${tier}; npm run key -- create ${email} makes it a key`;
    },
  },
  change: {
    takes: ["an e-mail address"],
    options: ["tier", "status", "periodEnd"],
    async run(connection, [email = ""], options) {
      await changeSubscription(connection, email, options);
      return accountLines(connection, email);
    },
  },
  attach: {
    takes: ["an e-mail address", "a user id"],
    async run(connection, [email = "", userId = ""]) {
      await attachUser(connection, email, userId);
      return `the user ${userId} signs in to ${email}; at the first sign-in the account gets the user's own address`;
    },
  },
  detach: {
    takes: ["an e-mail address"],
    async run(connection, [email = ""]) {
      await attachUser(connection, email, undefined);
      return `the next user who confirms the address ${email} signs in to the account`;
    },
  },
  members: {
    takes: ["an e-mail address"],
    run: async (connection, [email = ""]) => textTable(await listMembers(connection, email)),
  },
  invite: {
    takes: ["an account's e-mail address", "an e-mail address to invite"],
    options: ["role"],
    async run(connection, [email = "", address = ""], { role = "member" }) {
      await inviteMember(connection, email, address, role);
      return `invited ${address} as ${role}; tell them to sign in with that address, for no mail is sent`;
    },
  },
  remove: {
    takes: ["an account's e-mail address", "the e-mail address of a member or of somebody invited"],
    async run(connection, [email = "", address = ""]) {
      await removeMember(connection, email, address);
      return `${address} is not in ${email} any more, nor invited`;
    },
  },
  customer: {
    takes: ["an e-mail address", "a Stripe customer's id"],
    async run(connection, [email = "", customerId = ""]) {
      await attachCustomer(connection, email, customerId);
      return accountLines(connection, email);
    },
  },
};

await runCommand({
  help,
  allowPositionals: true,
  options: {
    tier: { type: "string" },
    status: { type: "string" },
    "period-end": { type: "string" },
    limit: { type: "string" },
    role: { type: "string" },
    "database-url": { type: "string" },
  },
  async run({ values, positionals: [action = "", ...words] }) {
    const options = {
      tier: values.tier,
      status: requireStatus(values.status),
      periodEnd: parsePeriodEnd(values["period-end"]),
      limit: values.limit === undefined ? undefined : parseCount("--limit", values.limit, 1),
      role: values.role,
    };
    if (action === "link") {
      if (values["database-url"] !== undefined) {
        throw new UsageError("link is for npm start; elsewhere Supabase Auth mails the links.");
      }
      print(await signInLink(words));
    } else {
      print(await withDatabase(values["database-url"], chooseWork(action, words, options)));
    }
  },
});

async function accountLines(connection: Connection, email: string): Promise<string[]> {
  const rows = Object.entries(await readAccount(connection, email)).map(([what, value]) => ({ what, value }));
  return textTable(rows).slice(1);
}

/** Returns the work of an action. All words and options are checked here, before the database is opened. */
function chooseWork(name: string, words: string[], options: Options): (connection: Connection) => Promise<Lines> {
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (action === undefined) throw new UsageError(`Say what to do: ${Object.keys(actions).join(", ")} or link.`);
  if (words.length !== action.takes.length || words.includes("")) {
    throw new UsageError(`${name} takes ${action.takes.length === 0 ? "nothing more" : action.takes.join(" and ")}.`);
  }
  const [email, id] = words;
  if (email !== undefined && (name === "create" || !isId(email))) requireEmail(email);
  if (name === "invite" || name === "remove") requireEmail(id ?? "");
  if ((name === "create" && !isPlainLine(email ?? "")) || (name === "invite" && !isPlainLine(id ?? ""))) {
    throw new UsageError("An e-mail address must be one line, without control characters.");
  }
  if (name === "attach" && !isId(id ?? "")) throw new UsageError(`"${id}" is not a user's id.`);
  const given = (Object.keys(options) as (keyof Options)[]).filter((option) => options[option] !== undefined);
  const unknown = given.find((option) => !action.options?.includes(option));
  if (unknown !== undefined)
    throw new UsageError(`${name} does not take --${unknown === "periodEnd" ? "period-end" : unknown}.`);
  if (name === "change" && given.length === 0) {
    throw new UsageError("Say what to change: --tier, --status or --period-end.");
  }
  return (connection) => action.run(connection, words, options);
}

/** Sign-in link to the dashboard of the server on this machine. Elsewhere Supabase Auth mails the links. */
async function signInLink([email = demoEmail("developer"), ...rest]: string[]): Promise<string> {
  if (rest.length > 0) throw new UsageError(`"${rest[0]}" is one word too many.`);
  requireEmail(email);
  const running = runningServer(dataFolderPath());
  if (running === undefined) {
    throw new UsageError("No server runs on this data folder. Start one with npm start, which prints a link.");
  }
  return closeAfter(await connectPostgres(running.database_url), (connection) =>
    createSignInLink(connection, email, running.page_url),
  );
}

function isId(text: string): boolean {
  return /^[0-9a-f-]{36}$/i.test(text);
}

function requireEmail(text: string): void {
  if (!/^\S+@\S+$/.test(text)) throw new UsageError(`"${text}" is not an e-mail address.`);
}

function requireStatus(text: string | undefined): string | undefined {
  if (text === undefined || statuses.includes(text)) return text;
  throw new UsageError(`--status must be one of ${statuses.join(", ")}.`);
}

function parsePeriodEnd(text: string | undefined): Date | "none" | undefined {
  if (text === undefined || text === "none") return text;
  return parseMoment("--period-end", text, "or none");
}
