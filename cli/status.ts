import { mkdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { callerPath } from "../local/caller-path.mjs";
import { print, printError } from "../local/print.ts";
import { variable } from "../shared/platform/environment.ts";
import { addCheck } from "../status/history.ts";
import { readHistory, withLock, writeWhole } from "../status/history-file.ts";
import { statusPage } from "../status/page.ts";
import { type Check, probe } from "../status/probe.ts";
import { runCommand } from "./command.ts";
import { UsageError } from "./options.ts";

const help = `Checks a deployment from outside, keeps the last 90 days of checks, and writes a status page: one index.html that needs no
script and no service to be read. Run it every five minutes, on another host than the service's, and publish the folder.

usage: npm run status -- --base-url URL --out FOLDER [--history FILE] [--metrics-secret SECRET]

Asks URL/health/ready and, with the secret, URL/metrics: p95 by kind of request, and how fresh each dataset is. A check that
fails is made once more after five seconds. A service that is down is no failure of the command: the page says it.

options:
  --base-url URL           the deployment, up to and including /functions/v1
  --out FOLDER             where index.html is written; made where it is missing
  --history FILE           the checks (default: history.json in FOLDER). With the secret it has numbers of requests: keep it
                           out of the folder if those are not for everybody
  --metrics-secret SECRET  METRICS_SECRET of the deployment (default: $METRICS_SECRET, which other users of the machine do not see)
  --help`;

await runCommand({
  help,
  options: {
    "base-url": { type: "string" },
    out: { type: "string" },
    history: { type: "string" },
    "metrics-secret": { type: "string" },
  },
  async run({ values: { "base-url": url, out, history, "metrics-secret": secret = variable("METRICS_SECRET") } }) {
    if (out === undefined) throw new UsageError("Say where the page is to be written: --out FOLDER.");
    const baseUrl = parseBaseUrl(url, secret);
    const folder = resolve(callerPath(out));
    const path = history === undefined ? join(folder, "history.json") : resolve(callerPath(history));
    await mkdir(folder, { recursive: true });
    await mkdir(dirname(path), { recursive: true });
    // Before the check, so that a damaged file is told at once.
    await readHistory(path, baseUrl);
    const check = await probe({ baseUrl, metricsSecret: secret });
    await withLock(path, async () => {
      const before = await readHistory(path, baseUrl);
      if (before === undefined) printError(`${path} is new.`);
      const next = addCheck(before, baseUrl, check);
      await writeWhole(path, `${JSON.stringify(next)}\n`);
      await writeWhole(join(folder, "index.html"), await statusPage(next));
    });
    print(describe(check));
    if (check.metricsProblem !== undefined) printError(`/metrics: ${check.metricsProblem}`);
  },
});

function describe({ at, outcome, detail, responseMs }: Check): string {
  const took = responseMs === undefined ? "" : ` in ${responseMs} ms`;
  return [`${at.toISOString()} ${outcome}${took}`, ...(detail === undefined ? [] : [detail])].join(": ");
}

/** @throws {UsageError} when it is no address, or one that would show a secret on the page or on the way. */
function parseBaseUrl(text: string | undefined, secret: string | undefined): string {
  const example = "expected one like https://PROJECT.supabase.co/functions/v1";
  if (text === undefined) throw new UsageError(`--base-url is missing: ${example}.`);
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new UsageError(`--base-url is not an address: ${example}.`);
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw new UsageError(`--base-url must have no user, password, query or fragment: ${example}.`);
  }
  const isLocal = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  if (secret !== undefined && url.protocol === "http:" && !isLocal) {
    throw new UsageError("--base-url must begin with https:// where a metrics secret is sent.");
  }
  return url.href.replace(/\/+$/, "");
}
