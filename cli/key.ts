import { createKey, limitKey, listKeys, revokeKey, rotateKey } from "../database/accounts/keys.ts";
import { print } from "../local/print.ts";
import { type KeyLimits, keyChanges } from "../shared/responses/account/keys.ts";
import { maximumRanges } from "../shared/validation/address-ranges.ts";
import { isPlainLine } from "../shared/validation/fields.ts";
import { runCommand } from "./command.ts";
import { databaseUrlHelp, withDatabase } from "./database.ts";
import { parseMoment, UsageError } from "./options.ts";
import { textTable } from "./table.ts";

const help = `Creates, limits, rotates, revokes and lists API keys. A key's text is shown once.

usage: npm run key -- create EMAIL [--name NAME] [--expires DATE] [LIMITS]   make an account a key
       npm run key -- limit KEY_ID LIMITS                           change its limits; what is not given stays
       npm run key -- rotate KEY_ID [--overlap-hours N]             replace a key; the old one works for
                                                                    N more hours (default 24, 0 to 720),
                                                                    until the moment printed as old_key_ends
       npm run key -- revoke KEY_ID                                 end a key at once
       npm run key -- list EMAIL

DATE is a day, as 2027-01-31 (its first moment in UTC), or a moment, as 2027-01-31T12:00:00Z.

limits:
  --datasets grants,contracts,funders   read these alone; all: no limit
  --daily-quota N                       requests a UTC day; none: no limit but the account's
  --addresses 203.0.113.0/24,2001:db8::/32
                                        work from these address ranges alone; any: no limit

options:
  ${databaseUrlHelp}
  --help`;

await runCommand({
  help,
  allowPositionals: true,
  options: {
    name: { type: "string", default: "default" },
    expires: { type: "string" },
    datasets: { type: "string" },
    "daily-quota": { type: "string" },
    addresses: { type: "string" },
    "overlap-hours": { type: "string", default: "24" },
    "database-url": { type: "string" },
  },
  async run({ values, positionals: [action, subject, ...rest] }) {
    if (!["create", "limit", "rotate", "revoke", "list"].includes(action ?? "")) {
      throw new UsageError("Say what to do: create, limit, rotate, revoke or list.");
    }
    if (subject === undefined)
      throw new UsageError(
        `${action} needs ${action === "create" || action === "list" ? "an e-mail address" : "a key id"}.`,
      );
    if (rest.length > 0) throw new UsageError(`"${rest[0]}" is one word too many.`);
    if (["limit", "rotate", "revoke"].includes(action ?? "") && !/^[0-9a-f-]{36}$/i.test(subject)) {
      throw new UsageError(`"${subject}" is not a key id; npm run key -- list EMAIL shows them.`);
    }
    if (values.name === "" || [...values.name].length > 100) {
      throw new UsageError("--name must have 1 to 100 characters.");
    }
    if (!isPlainLine(values.name)) throw new UsageError("--name must be one line, without control characters.");
    const expires = values.expires === undefined ? undefined : parseMoment("--expires", values.expires);
    const limits = parseLimits(values);
    if (action === "limit" && Object.keys(limits).length === 0) {
      throw new UsageError("limit needs --datasets, --daily-quota or --addresses.");
    }
    const overlapHours = parseOverlap(values["overlap-hours"]);

    await withDatabase(values["database-url"], async (connection) => {
      if (action === "create") {
        const { id, key } = await createKey(connection, subject, values.name, expires, limits);
        print([`key_id=${id}`, `api_key=${key}`]);
      } else if (action === "limit") {
        await limitKey(connection, subject, limits);
        print(`limited ${subject}`);
      } else if (action === "rotate") {
        const { id, key, oldKeyEndsAt } = await rotateKey(connection, subject, overlapHours);
        print([`key_id=${id}`, `api_key=${key}`, `old_key_ends=${oldKeyEndsAt.toISOString()}`]);
      } else if (action === "revoke") {
        await revokeKey(connection, subject);
        print(`revoked ${subject}`);
      } else {
        print(textTable(await listKeys(connection, subject)));
      }
    });
  },
});

/** Reads the limits that were given, by the rules of the account API. */
function parseLimits(values: Partial<Record<"datasets" | "daily-quota" | "addresses", string>>): KeyLimits {
  const { datasets, "daily-quota": quota, addresses } = values;
  const read = keyChanges.safeParse({
    ...(datasets !== undefined && { datasets: datasets === "all" ? null : datasets.split(",") }),
    ...(quota !== undefined && { daily_quota: quota === "none" ? null : /^\d+$/.test(quota) ? Number(quota) : quota }),
    ...(addresses !== undefined && { addresses: addresses === "any" ? null : addresses.split(",") }),
  });
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  if (issue?.path[0] === "daily_quota") {
    throw new UsageError("--daily-quota must be a whole number of requests from 1 to 1000000000, or none.");
  }
  if (issue?.path[0] === "addresses") {
    const [, index] = issue.path;
    const wrong = typeof index === "number" ? `: ${JSON.stringify(addresses?.split(",")[index])} ${issue.message}` : "";
    throw new UsageError(
      `--addresses must be 1 to ${maximumRanges} address ranges, separated by commas, or any${wrong}.`,
    );
  }
  throw new UsageError("--datasets must be among grants, contracts, funders, separated by commas, or all.");
}

function parseOverlap(text: string): number {
  const hours = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || hours > 720)
    throw new UsageError("--overlap-hours must be a number from 0 to 720.");
  return hours;
}
