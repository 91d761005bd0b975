import { addTier, changeTier, listTiers, removeTier, setPrice } from "../database/accounts/tiers.ts";
import type { Connection } from "../database/connection.ts";
import { type Lines, print } from "../local/print.ts";
import { runCommand } from "./command.ts";
import { databaseUrlHelp, withDatabase } from "./database.ts";
import { parseCount, UsageError } from "./options.ts";
import { textTable } from "./table.ts";

const help = `Manages tiers. A tier says what an account's subscription includes.

usage: npm run tier -- list
       npm run tier -- add NAME [options]      a new tier; with API access and unlimited unless told otherwise
       npm run tier -- change NAME [options]   for all its accounts, at once
       npm run tier -- remove NAME             a tier that no account has and no price buys

options of add and change:
  --quota N             requests a UTC day, -1 for unlimited
  --access yes|no       whether keys of its accounts have access to the API
  --snapshots yes|no    whether they may download snapshots of the catalogue; a new tier without a quota lets them
  --listed yes|no       whether accounts on other tiers are shown it, and can buy it where it has a price
  --price ID            a Stripe price that buys it, price_ and letters and digits; may be repeated. The dashboard sells the tier at
                        the last one; earlier ones stay with the accounts that pay them
  --no-price ID         a Stripe price that no longer buys anything: accounts that pay it lose the tier at once; may be
                        repeated. To only sell at another price, set that one

options:
  ${databaseUrlHelp}
  --help`;

await runCommand({
  help,
  allowPositionals: true,
  options: {
    quota: { type: "string" },
    access: { type: "string" },
    snapshots: { type: "string" },
    listed: { type: "string" },
    price: { type: "string", multiple: true, default: [] },
    "no-price": { type: "string", multiple: true, default: [] },
    "database-url": { type: "string" },
  },
  async run({ values, positionals: [action, ...rest] }) {
    const work = chooseWork(action, rest, {
      dailyQuota: parseQuota(values.quota),
      apiAccess: parseYesOrNo("--access", values.access),
      snapshots: parseYesOrNo("--snapshots", values.snapshots),
      isListed: parseYesOrNo("--listed", values.listed),
      prices: values.price.map(requirePriceId),
      removedPrices: values["no-price"].map(requirePriceId),
    });
    print(await withDatabase(values["database-url"], (connection) => connection.transaction(work)));
  },
});

interface Change {
  dailyQuota: number | undefined;
  apiAccess: boolean | undefined;
  snapshots: boolean | undefined;
  isListed: boolean | undefined;
  prices: string[];
  removedPrices: string[];
}

/**
 * Returns the work of an action, which returns the lines to print. All words and options are checked here, before the
 * database is opened.
 */
function chooseWork(
  action: string | undefined,
  words: string[],
  change: Change,
): (connection: Connection) => Promise<Lines> {
  const { prices, removedPrices, ...included } = change;
  const isEmpty = Object.values(change).every(
    (value) => value === undefined || (Array.isArray(value) && value.length === 0),
  );
  if (!["list", "add", "change", "remove"].includes(action ?? "")) {
    throw new UsageError("Say what to do: list, add, change or remove.");
  }
  if ((action === "list" || action === "remove") && !isEmpty)
    throw new UsageError(`${action} takes no options of a tier.`);
  if (action === "list") {
    if (words.length > 0) throw new UsageError("list takes nothing more.");
    return async (connection) => textTable(await listTiers(connection));
  }
  const [name = "", ...tooMany] = words;
  if (name === "" || tooMany.length > 0) throw new UsageError(`${action} takes the name of a tier.`);
  if (action === "remove") {
    return async (connection) => {
      await removeTier(connection, name);
      return `removed the tier ${name}`;
    };
  }
  if (action === "change" && isEmpty)
    throw new UsageError("Say what to change: --quota, --access, --snapshots, --listed, --price or --no-price.");
  return async (connection) => {
    await (action === "add" ? addTier : changeTier)(connection, name, included);
    for (const price of prices) await setPrice(connection, price, name);
    for (const price of removedPrices) await setPrice(connection, price, undefined);
    return textTable((await listTiers(connection)).filter((tier) => tier.name === name));
  };
}

function parseQuota(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (text === "-1") return -1;
  if (!/^\d+$/.test(text)) throw new UsageError("--quota must be a number of requests a day, or -1 for unlimited.");
  return parseCount("--quota", text, 0);
}

function parseYesOrNo(option: string, text: string | undefined): boolean | undefined {
  if (text === undefined) return undefined;
  if (text !== "yes" && text !== "no") throw new UsageError(`${option} must be yes or no.`);
  return text === "yes";
}

function requirePriceId(text: string): string {
  if (!/^price_\w{1,250}$/.test(text)) {
    throw new UsageError(
      `"${text}" is not the id of a Stripe price, which Stripe shows with the price: price_ and some 24 letters and digits.`,
    );
  }
  return text;
}
