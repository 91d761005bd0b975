import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { pgliteConnection } from "../database/pglite.ts";
import { variable } from "../shared/platform/environment.ts";
import { openEmbeddedAuth } from "./auth/embedded.ts";
import { createSignInLink } from "./auth/links.ts";
import { folderSigningKey } from "./auth/signing-key.ts";
import { buildDashboard } from "./dashboard/build.ts";
import { createDashboardServer } from "./dashboard/serve.ts";
import { demoEmail } from "./demo/keys.ts";
import { DataFolderError, dataFolderPath, takeDataFolder } from "./embedded/data-folder.ts";
import { startDispatchTimer } from "./embedded/dispatch-timer.ts";
import { prepareDemo } from "./embedded/first-start.ts";
import { createGateway } from "./embedded/gateway.ts";
import { openEmbedded } from "./embedded/open.ts";
import { listenForPostgresClients } from "./embedded/postgres-socket.ts";
import { createEmbeddedRuntime } from "./embedded/runtime.ts";
import { SessionLock } from "./embedded/session.ts";
import { embeddedWebhooks } from "./embedded/webhooks.ts";
import { serveChangelog } from "./reference/changelog.ts";
import { serveReference } from "./reference/serve.ts";

/** How long a stop waits for requests under way. */
const shutdownMs = 5_000;

const projectFolder = fileURLToPath(new URL("..", import.meta.url));

/** Something about this machine prevents the start; the message is one sentence for its owner. */
class StartError extends Error {}

const help = `Serves the whole API and its dashboard on this machine, with demo data, from an embedded database.

usage: npm start

The first start makes the database, loads demo records and builds the dashboard: fifteen to thirty seconds on two
cores. What it does goes to standard error, with the seconds so far.

environment:
  PORT      the port of the API on 127.0.0.1 (default 54321); the database listens on the next one
            when that is free, else on any
  DATA_DIR  where the data lives (default .data)
  LOG_LEVEL  info prints a line for each request, warning (the default) what went wrong, off nothing
  LOG_FORMAT  text (the default) or json
  WEBHOOKS_ALLOW_LOOPBACK  true: webhooks may go to this machine, by http`;

async function start(): Promise<void> {
  const port = portFromEnvironment();
  await ensureFree(port);
  const folder = takeDataFolder(dataFolderPath());

  const progress = (step: string) => console.error(`  ${secondsSinceStart()} ${step}`);
  console.error(`opening ${folder.path}`);
  const database = await openEmbedded(folder);
  // After the database is open: compiling Postgres and building the dashboard both want every core.
  const building = buildDashboard(projectFolder);
  let stop = async () => {
    await database.close();
    folder.release();
  };
  stopOnSignals(() => stop());
  const keys = await prepareDemo(folder, pgliteConnection(database), progress);

  const lock = new SessionLock(database);
  const origin = `http://127.0.0.1:${port}`;
  const auth = await openEmbeddedAuth(lock, await folderSigningKey(folder.path), origin);
  const runtime = createEmbeddedRuntime(lock, `${origin}/docs/api.md`, embeddedWebhooks(folder.path), auth.settings);
  // Beside the database: a temporary folder may be in memory.
  const listen = (at: number) => listenForPostgresClients(lock, at, { folder: folder.path });
  const socket = await listen(port + 1).catch(() => listen(0));
  const databaseUrl = `postgresql://postgres:postgres@127.0.0.1:${socket.port}/postgres`;
  const baseUrl = `${origin}/functions/v1`;
  const pageUrl = `${origin}/`;
  const dashboard = createDashboardServer(join(projectFolder, "dashboard/dist"), {
    base_url: baseUrl,
    supabase_url: origin,
    // supabase-js wants a key; the embedded sign-in has none.
    supabase_key: "embedded",
    sign_in: "link",
    reference_url: "/reference",
    changelog_url: "/changelog",
  });
  const server = serve(port, createGateway(runtime, [auth.answer, serveReference, serveChangelog, dashboard]));
  folder.announce({ database_url: databaseUrl, page_url: pageUrl });
  const stopDispatch = startDispatchTimer(runtime);

  stop = async () => {
    await Promise.race([server.shutdown(), new Promise((resolve) => setTimeout(resolve, shutdownMs))]);
    // Clients first: one that keeps a transaction open would keep the rest waiting.
    socket.close();
    await Promise.race([stopDispatch(), new Promise((resolve) => setTimeout(resolve, shutdownMs))]);
    await Promise.race([runtime.settled(), new Promise((resolve) => setTimeout(resolve, shutdownMs))]);
    await lock.run((held) => held.close(), { maximumWaitMs: shutdownMs });
    folder.release();
  };

  const signInLink = await lock.run((held) =>
    createSignInLink(pgliteConnection(held), demoEmail("developer"), pageUrl),
  );
  const problem = await building;
  progress("ready");
  if (problem !== undefined) console.error(`The dashboard is not there, or not up to date: ${problem}`);
  console.log(
    [
      `base_url=${baseUrl}`,
      `database_url=${databaseUrl}`,
      `api_key=${keys.api_key}`,
      `limited_api_key=${keys.limited_api_key}`,
      `free_api_key=${keys.free_api_key}`,
      `sign_in_link=${signInLink}`,
      `curl -H "Authorization: Bearer ${keys.api_key}" "${baseUrl}/grants-api?search=internet+access+in+the+countryside&search_mode=hybrid&limit=3"`,
    ].join("\n"),
  );
}

/** Seconds since the process was started, in a column: ` 4.2 s`. */
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

/** What fails because of a stop is no failure. */
let isStopping = false;

/** Runs `stop` once, at the first signal to end. */
function stopOnSignals(stop: () => Promise<void>): void {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    Deno.addSignalListener(signal, () => {
      if (isStopping) return;
      isStopping = true;
      stop().then(
        () => Deno.exit(0),
        (error) => {
          console.error(`The stop was not clean: ${String(error)}`);
          Deno.exit(1);
        },
      );
    });
  }
}

/** Starts to listen. The port was free a while ago, but somebody else may have been quicker. */
function serve(port: number, handler: (request: Request) => Promise<Response>): Deno.HttpServer {
  try {
    return Deno.serve({ hostname: "127.0.0.1", port, onListen: () => undefined }, handler);
  } catch (error) {
    throw error instanceof Deno.errors.AddrInUse ? portTaken(port) : error;
  }
}

function portTaken(port: number): StartError {
  return new StartError(`Port ${port} is taken: stop what uses it, or set PORT to another one.`);
}

/** Finds a taken port before minutes of work, not after. */
function ensureFree(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", (error: Error & { code?: string }) => {
      reject(
        error.code === "EADDRINUSE"
          ? portTaken(port)
          : new StartError(`Port ${port} cannot be used: ${error.message}.`),
      );
    });
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve()));
  });
}

if (process.argv.includes("--help")) {
  console.log(help);
} else {
  start().catch((error: unknown) => {
    if (isStopping) return;
    const isExplained = error instanceof StartError || error instanceof DataFolderError;
    console.error(isExplained ? error.message : error);
    Deno.exit(1);
  });
}
