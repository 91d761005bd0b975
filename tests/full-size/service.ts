import pg from "pg";
import { createAccount } from "../../database/accounts/accounts.ts";
import { createKey } from "../../database/accounts/keys.ts";
import { connectPostgres } from "../../database/postgres.ts";
import { withoutMail } from "../../functions/dispatch/mail/platform.ts";
import { withoutWebhooks } from "../../functions/dispatch/webhook-platform.ts";
import { ReadinessCache } from "../../functions/health/readiness.ts";
import { dataFolderPath } from "../../local/caller-path.mjs";
import { createGateway } from "../../local/embedded/gateway.ts";
import { createFolderStore, publishedFolder } from "../../local/embedded/snapshot-folder.ts";
import { KeyHashes } from "../../shared/auth/credential.ts";
import type { RpcClient, RpcOutcome } from "../../shared/database/rpc.ts";
import { createQueryEmbedder } from "../../shared/embeddings/query-embedder.ts";
import { ListCache } from "../../shared/endpoint/list-cache.ts";
import { silentLog } from "../../shared/log/log.ts";
import { createEdgeLimit } from "../../shared/overload/concurrency-limit.ts";
import { StreamLimit } from "../../shared/overload/stream-limit.ts";
import { VisitorLimit } from "../../shared/overload/visitor-limit.ts";
import { processPlatform } from "../../shared/platform/environment.ts";
import { UsageRecorder } from "../../shared/usage/recorder.ts";

/** The database that the suite works on. */
export const databaseUrl = process.env.DATABASE_URL ?? missing();

function missing(): never {
  throw new Error("DATABASE_URL must name a database at full size: tests/full-size/run.sh makes one.");
}

export async function openSession(): Promise<pg.Client> {
  const session = new pg.Client({ connectionString: databaseUrl });
  await session.connect();
  return session;
}

/** The API's handlers over one database session, whose statements a test can watch. */
export interface Service {
  session: pg.Client;
  /**
   * Returns the API's answer to a request for a path after `/functions/v1`.
   *
   * @throws {Error} unless the status is 200.
   */
  get<Body>(path: string): Promise<Body>;
  /** The same, of a JSON body. */
  post<Body>(path: string, body: object): Promise<Body>;
  /** Forgets the lists that were answered, so that the next are read. */
  forgetLists(): void;
  close(): Promise<void>;
}

export async function openService(): Promise<Service> {
  const session = await openSession();
  let lists = new ListCache();
  const database = rpcOver(session);
  const gateway = createGateway({
    database,
    limit: createEdgeLimit(processPlatform.variable),
    streams: new StreamLimit(),
    embeddings: createQueryEmbedder(processPlatform),
    get lists() {
      return lists;
    },
    snapshots: createFolderStore(publishedFolder(dataFolderPath())),
    keyHashes: new KeyHashes(),
    visitors: new VisitorLimit(),
    readiness: new ReadinessCache(),
    usage: new UsageRecorder(database, silentLog),
    webhooks: withoutWebhooks,
    mail: withoutMail,
    log: silentLog,
    waitUntil: () => undefined,
    variable: processPlatform.variable,
  });
  const headers = { authorization: `Bearer ${await newKey()}` };
  const ask = async (path: string, init: RequestInit) => {
    const response = await gateway(new Request(`http://127.0.0.1:54321/functions/v1${path}`, init));
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  return {
    session,
    get: (path) => ask(path, { headers }),
    post: (path, body) =>
      ask(path, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    forgetLists() {
      lists = new ListCache();
    },
    close: () => session.end(),
  };
}

async function newKey(): Promise<string> {
  const connection = await connectPostgres(databaseUrl);
  try {
    const email = `${crypto.randomUUID()}@full-size.example`;
    await createAccount(connection, email, "developer");
    return (await createKey(connection, email, "full size")).key;
  } finally {
    await connection.close();
  }
}

/** Calls the database's functions as PostgREST does: one statement, arguments by name. */
function rpcOver(session: pg.Client): RpcClient {
  return {
    async call(name, parameters): Promise<RpcOutcome<never>> {
      const passed = Object.keys(parameters).map((argument, index) => `"${argument}" => $${index + 1}`);
      try {
        const { rows } = await session.query(
          `select public."${name}"(${passed.join(", ")}) as answer`,
          Object.values(parameters),
        );
        return { ok: true, value: rows[0].answer as never };
      } catch (error) {
        const { code = "", message } = error as { code?: string; message: string };
        return { ok: false, failure: { code, message, details: null, hint: null } };
      }
    },
  };
}
