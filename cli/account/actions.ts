import {
  attachCustomer,
  attachUser,
  changeSubscription,
  createAccount,
  listAccounts,
  showAccount,
} from "../../accounts/accounts.ts";
import type { Connection } from "../../database/connection.ts";
import { textTable } from "../table.ts";

/** The options that were given. */
export interface Options {
  tier: string | undefined;
  status: string | undefined;
  periodEnd: Date | "none" | undefined;
}

/** One thing that the command does. */
export interface Action {
  /** What follows its name. */
  takes: string[];
  /** The options that it knows. */
  options?: (keyof Options)[];
  /** Gives what is printed. */
  run(connection: Connection, words: string[], options: Options): Promise<string>;
}

export const actions: Record<string, Action> = {
  list: { takes: [], run: async (connection) => textTable(await listAccounts(connection)) },
  show: { takes: ["an e-mail address"], run: (connection, [email = ""]) => shown(connection, email) },
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
      return shown(connection, email);
    },
  },
  attach: {
    takes: ["an e-mail address", "a user id"],
    async run(connection, [email = "", userId = ""]) {
      await attachUser(connection, email, userId);
      return `the user ${userId} signs in to ${email}, which takes over the user's own address then`;
    },
  },
  detach: {
    takes: ["an e-mail address"],
    async run(connection, [email = ""]) {
      await attachUser(connection, email, undefined);
      return `${email} waits for a user who confirms that address`;
    },
  },
  customer: {
    takes: ["an e-mail address", "a Stripe customer's id"],
    async run(connection, [email = "", customerId = ""]) {
      await attachCustomer(connection, email, customerId);
      return shown(connection, email);
    },
  },
};

async function shown(connection: Connection, email: string): Promise<string> {
  const rows = Object.entries(await showAccount(connection, email)).map(([what, value]) => ({ what, value }));
  return textTable(rows).split("\n").slice(1).join("\n");
}
