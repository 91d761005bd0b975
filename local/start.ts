import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readBoundedMs } from "../database/clock.ts";
import type { Connection } from "../database/connection.ts";
import { pgliteConnection } from "../database/pglite.ts";
import { addressInHeader, clientAddressHeader, parseAddress } from "../shared/platform/client-address.ts";
import { variable } from "../shared/platform/environment.ts";
import { release } from "../shared/release.ts";
import { openEmbeddedAuth } from "./auth/embedded.ts";
import { createSignInLink } from "./auth/links.ts";
import { loadSigningKey } from "./auth/signing-key.ts";
import { dataFolderPath } from "./caller-path.mjs";
import { createDashboardServer } from "./dashboard/serve.ts";
import { demoEmail } from "./demo/keys.ts";
import { readyMessage } from "./documents/daily.mjs";
import { startAutovacuum } from "./embedded/autovacuum.ts";
import { type DataFolder, DataFolderError, lockDataFolder, processOf, runningServer } from "./embedded/data-folder.ts";
import { watchRoom } from "./embedded/disk-room.ts";
import { startDispatchLoop, startUpkeepLoop } from "./embedded/dispatch-loop.ts";
import { isDocumentsMessage, logDocuments } from "./embedded/documents-log.ts";
import { completeDemo, prepareDemo, type UnfinishedDemo, unfinishedDemo } from "./embedded/first-start.ts";
import { removeAbandonedCopies } from "./embedded/folder-copy.ts";
import { createGateway } from "./embedded/gateway.ts";
import { type HttpServer, serveHttp } from "./embedded/http-server.ts";
import { keepInTouchWithLauncher } from "./embedded/launcher.ts";
import { embeddedLog } from "./embedded/log.ts";
import { createEmbeddedMail } from "./embedded/mail.ts";
import { openEmbedded } from "./embedded/open.ts";
import { createRefusalLog } from "./embedded/password-checks.ts";
import { loadPostgresPassword } from "./embedded/postgres-password.ts";
import { listenForPostgresClients } from "./embedded/postgres-socket.ts";
import { createEmbeddedRuntime } from "./embedded/runtime.ts";
import { SessionLock } from "./embedded/session.ts";
import { sessionConnection } from "./embedded/session-connection.ts";
import { type StatusHistory, startStatusHistory } from "./embedded/status-history.ts";
import { databaseFailure, endServer, outliveUncaughtErrors } from "./embedded/uncaught.ts";
import { startUpgradeCopyRemoval } from "./embedded/upgrade-copies.ts";
import { createEmbeddedWebhooks } from "./embedded/webhooks.ts";
import { errorLines, print, printError } from "./print.ts";

/** Time limit of each step of a stop. */
const shutdownMs = 5_000;
/** Time after which a stop that is not over ends the process. The watchdog, which may be gone, waits longer. */
const longestStopMs = 25_000;

const projectFolder = fileURLToPath(new URL("..", import.meta.url));

/** Something on this machine prevents the start. The message is for its owner: what is wrong and what to do. */
class StartError extends Error {}

const help = `Serves the whole API and its dashboard on this machine, with demo data, from an embedded database.

usage: npm start

The first start makes the database and loads some demo records. Then it answers lists and keyword searches, while it loads
the others, fits search by meaning and builds the dashboard. Its steps go to standard error, with the seconds so far.

environment:
  PORT        port of the API on 127.0.0.1 (default 54321). The database listens on the next port if that is free, else on
              any, and asks for the password that is printed in database_url
  DATA_DIR    folder of the data and of the secrets (default .data). The file postgres-password has the database's password
  LOG_LEVEL   info prints a line for each request, warning (the default) only problems, off nothing
  LOG_FORMAT  text (the default) or json
  DISPATCH    off sends no webhooks and digests, and deletes no old rows: for a copy of a service that runs
              (docs/operate/back-up.md)
  DOCUMENTS_DIR
              folder in which the documents of current opportunities are kept: they are fetched and made searchable once a day
              (docs/documents.md). Without it, none are
  WEBHOOKS_ALLOW_LOOPBACK  true allows webhooks to this machine, and over http
  MAIL_SMTP_URL, MAIL_HTTP_URL, MAIL_FROM ...  send digests by e-mail (docs/operate/install.md). Without them, each is a file
              in DATA_DIR/mail
  CLIENT_ADDRESS_HEADER
              header in which the proxy in front of this server gives the client's address, such as x-real-ip, for keys that
              are limited to addresses (docs/operate/install.md). Without it, the client is whoever connects
  STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET
              sell tiers through Stripe (docs/billing.md)
  WATCHDOG_SECONDS
              processor time in which the server may answer nothing, after which it is ended (default 600; 0: never)
  CATALOGUE   off leaves out the public catalogue, whose pages are at /funding
  CATALOGUE_URL
              its public address, where that is not this server's
  STATUS_URL  the status page that the dashboard links to (docs/operate/monitor.md)`;

async function start(): Promise<void> {
  const port = portFromEnvironment();
  const statusUrl = statusUrlFromEnvironment();
  const addressHeader = addressHeaderFromEnvironment();
  const isDispatching = isDispatchingFromEnvironment();
  await ensurePortIsFree(port, dataFolderPath());
  const folder = lockDataFolder(dataFolderPath());
  removeAbandonedCopies(folder.path);

  const progress = (step: string) => printError(`  ${secondsSinceStart()} ${step}`);
  printError(`Funding Opportunities Data API ${release}, opening ${folder.path}`);
  const database = await openEmbedded(folder, printError, (fault) =>
    endServer(embeddedLog, databaseFailure(fault, folder.path)),
  );
  let stop = async () => {
    await database.close();
    folder.release();
  };
  stopWhenTold(() => stop());
  const keys = await prepareDemo(folder, pgliteConnection(database), progress);
  const unfinished = await unfinishedDemo(folder, pgliteConnection(database));
  // Only now: before, the build would compete with the API for the cores.
  const dashboardBuild = requestDashboardBuild();

  const lock = new SessionLock(database, watchRoom(folder.path, embeddedLog));
  const origin = `http://127.0.0.1:${port}`;
  const auth = await openEmbeddedAuth(lock, await loadSigningKey(folder.path), origin);
  const webhooks = createEmbeddedWebhooks(folder.path);
  const runtime = createEmbeddedRuntime(
    lock,
    `${origin}/functions/v1/openapi/docs/api.md`,
    // Without its secret, `POST /dispatch` is refused.
    isDispatching ? webhooks : { ...webhooks, dispatchSecret: undefined },
    { ...auth.settings, DASHBOARD_URL: variable("DASHBOARD_URL") ?? origin, CATALOGUE: variable("CATALOGUE") ?? "on" },
    folder.path,
    createEmbeddedMail(folder.path, origin, variable),
  );
  const password = loadPostgresPassword(folder.path);
  const onRefusal = createRefusalLog(embeddedLog);
  // Unread answers are kept in the data folder, since a temporary folder may be in memory.
  const listen = (onPort: number) =>
    listenForPostgresClients(lock, onPort, { folder: folder.path, password, onRefusal });
  const socket = await listen(port + 1).catch(() => listen(0));
  const databaseUrl = `postgresql://postgres:${encodeURIComponent(password)}@127.0.0.1:${socket.port}/postgres`;
  const baseUrl = `${origin}/functions/v1`;
  const pageUrl = `${origin}/`;
  let statusHistory: StatusHistory | undefined;
  const dashboardConfig = {
    base_url: baseUrl,
    supabase_url: origin,
    // supabase-js requires a key; the embedded sign-in ignores it.
    supabase_key: "embedded",
    sign_in: "link",
    reference_url: "/reference",
    changelog_url: "/changelog",
    ...(statusUrl !== undefined && { status_url: statusUrl }),
    status_history_url: "/status.json",
  } as const;
  const dashboard = createDashboardServer(join(projectFolder, "dashboard/dist"), dashboardConfig, async () =>
    statusHistory?.current(),
  );
  // The API does not wait for the dashboard's build, which on a busy machine may take longer than all else. The pages do.
  const pages: typeof dashboard = async (request) => {
    await dashboardBuild;
    return dashboard(request);
  };
  const gateway = createGateway(runtime, [auth.answer, pages]);
  const server = await serve(port, (request, remoteAddress) => {
    const client =
      addressHeader === undefined ? parseAddress(remoteAddress) : addressInHeader(request.headers, addressHeader);
    return gateway(request, client);
  });
  outliveUncaughtErrors(embeddedLog);
  folder.announce({ database_url: databaseUrl, page_url: pageUrl, process_id: Deno.pid });
  const stopDispatch = isDispatching ? startDispatchLoop(runtime) : startUpkeepLoop(runtime);
  const stopAutovacuum = startAutovacuum(lock, embeddedLog);
  const stopCopyRemoval = startUpgradeCopyRemoval(folder.path, embeddedLog, () =>
    lock.run((database) => readBoundedMs(pgliteConnection(database))),
  );

  stop = async () => {
    statusHistory?.stop();
    await waitAtMost(shutdownMs, server.close());
    // Socket clients first: one with an open transaction would block everything below.
    socket.close();
    await waitAtMost(shutdownMs, Promise.all([stopDispatch(), stopAutovacuum(), stopCopyRemoval()]));
    await waitAtMost(shutdownMs, runtime.settled());
    await lock.run((held) => held.close(), { maxWaitMs: shutdownMs });
    folder.release();
  };

  const signInLink = await lock.run((held) =>
    createSignInLink(pgliteConnection(held), demoEmail("developer"), pageUrl),
  );
  const isBuilt = await Promise.race([dashboardBuild.then(() => true), Promise.resolve(false)]);
  const waiting = [
    ...(unfinished.hasRecords ? ["most demo records are still to be loaded"] : []),
    ...(unfinished.hasFit ? ["search by meaning waits until the lexicon is fitted"] : []),
    ...(isBuilt ? [] : ["the dashboard's pages wait until they are built"]),
  ];
  progress(["ready", ...waiting].join("; "));
  if (!isDispatching) {
    printError("DISPATCH=off: nothing is sent, no webhooks and no digests, and old rows are not deleted.");
  }
  void dashboardBuild.then((problem) => {
    if (problem === undefined && !isBuilt) progress("the dashboard is built");
    if (problem === undefined || isStopping) return;
    printError(`The dashboard is missing or not up to date: ${problem}`.split("\n"));
  });
  print([
    `base_url=${baseUrl}`,
    `database_url=${databaseUrl}`,
    `api_key=${keys.api_key}`,
    `limited_api_key=${keys.limited_api_key}`,
    `free_api_key=${keys.free_api_key}`,
    `sign_in_link=${signInLink}`,
  ]);

  await completeInBackground(folder, sessionConnection(lock), unfinished, progress);
  if (isStopping) return;
  // Only now: it would take a server whose lexicon is not fitted for one that is out of order.
  statusHistory = startStatusHistory(runtime, folder.path, baseUrl);
  logDocuments(embeddedLog);
  process.send?.(readyMessage);
  print([
    `curl -H "Authorization: Bearer ${keys.api_key}" "${baseUrl}/grants-api?search=internet+access+in+the+countryside&search_mode=hybrid&limit=3"`,
  ]);
}

/** Loads the rest of the demo records and fits the lexicon while the server answers requests. A failure is for the next start. */
async function completeInBackground(
  folder: DataFolder,
  connection: Connection,
  unfinished: UnfinishedDemo,
  progress: (step: string) => void,
): Promise<void> {
  try {
    await completeDemo(folder, connection, unfinished, progress);
  } catch (error) {
    if (isStopping) return;
    printError([
      "The demo records or search by meaning are not ready, and the next start tries again. All else works.",
      ...errorLines(error),
    ]);
  }
}

/**
 * Asks the parent process to build the dashboard if its sources have changed: this process may not start programs.
 *
 * @returns why the build is not up to date, or undefined when it is. Never rejects.
 */
function requestDashboardBuild(): Promise<string | undefined> {
  return new Promise((resolve) => {
    if (process.send === undefined) return resolve("only npm start builds it, and this server was started without");
    process.on("message", (message) => {
      if (!isDocumentsMessage(message)) resolve((message as { problem?: string }).problem);
    });
    process.once("disconnect", () => resolve("the process that builds it has ended"));
    process.send("build-dashboard");
  });
}

async function waitAtMost(limitMs: number, work: Promise<unknown>): Promise<void> {
  await Promise.race([work, new Promise((resolve) => setTimeout(resolve, limitMs))]);
}

/** Seconds since the process started, right-aligned: `  4.2 s`. */
function secondsSinceStart(): string {
  return `${(performance.now() / 1000).toFixed(1).padStart(5)} s`;
}

function portFromEnvironment(): number {
  const text = variable("PORT") ?? "54321";
  const port = Number(text);
  if (!/^\d+$/.test(text) || port < 1 || port > 65_534) {
    throw new StartError(`PORT must be a number from 1 to 65534, not "${text}".`);
  }
  return port;
}

function statusUrlFromEnvironment(): string | undefined {
  const text = variable("STATUS_URL");
  if (text === undefined || /^https?:$/.test(URL.parse(text)?.protocol ?? "")) return text;
  throw new StartError("STATUS_URL must be the address of the status page, such as https://status.example.org.");
}

function addressHeaderFromEnvironment(): string | undefined {
  try {
    return clientAddressHeader(variable);
  } catch (error) {
    throw new StartError(`${(error as Error).message}.`);
  }
}

/** Whether the dispatcher runs. Without it, the server sends nothing. */
function isDispatchingFromEnvironment(): boolean {
  const text = variable("DISPATCH") ?? "on";
  if (text === "on" || text === "off") return text === "on";
  throw new StartError(`DISPATCH must be on or off, not "${text}".`);
}

/** Set once a stop has begun. Errors that it causes are not reported. */
let isStopping = false;

/** Runs `stop` at the first termination signal, or when the process that forwards signals has ended. Later signals are ignored. */
function stopWhenTold(stop: () => Promise<void>): void {
  const begin = () => {
    if (isStopping) return;
    isStopping = true;
    setTimeout(() => {
      printError("The stop took too long: the server ends. What was answered is stored.");
      Deno.exit(1);
    }, longestStopMs);
    stop().then(
      () => Deno.exit(0),
      (error) => {
        printError(`The stop was not clean: ${String(error)}`);
        Deno.exit(1);
      },
    );
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) Deno.addSignalListener(signal, begin);
  keepInTouchWithLauncher(begin);
}

/** Starts the HTTP server. Another program may have taken the port since `ensurePortIsFree`. */
function serve(port: number, handler: Parameters<typeof serveHttp>[1]): Promise<HttpServer> {
  const onError = (error: unknown) => embeddedLog.write("error", { function: "server", error: String(error) });
  return serveHttp(port, handler, onError).catch((error: Error & { code?: string }) => {
    throw error.code === "EADDRINUSE" ? portTakenError(port, dataFolderPath()) : error;
  });
}

function portTakenError(port: number, dataFolder: string): StartError {
  const running = runningServer(dataFolder);
  const isOurs = running !== undefined && new URL(running.page_url).port === String(port);
  const user = isOurs ? ` by the server that runs on ${dataFolder}${processOf(running)}` : "";
  return new StartError(`Port ${port} is taken${user}: stop what uses it, or set PORT to another one.`);
}

/** Fails if the port is taken: before the work of a first start, not after it. */
function ensurePortIsFree(port: number, dataFolder: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", (error: Error & { code?: string }) => {
      reject(
        error.code === "EADDRINUSE"
          ? portTakenError(port, dataFolder)
          : new StartError(`Port ${port} cannot be used: ${error.message}. Set PORT to another one.`),
      );
    });
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve()));
  });
}

if (process.argv.includes("--help")) {
  print(help.split("\n"));
} else {
  start().catch((error: unknown) => {
    if (isStopping) return;
    const isExplained = error instanceof StartError || error instanceof DataFolderError;
    printError(isExplained ? error.message : errorLines(error));
    Deno.exit(1);
  });
}
