import type { Connection } from "../../database/connection.ts";
import { migrate } from "../../database/migrate.ts";
import { openPGlite, pgliteConnection } from "../../database/pglite.ts";
import { connectPostgres } from "../../database/postgres.ts";
import { withoutWebhooks } from "../../functions/dispatch/webhook-platform.ts";
import { handle } from "../../functions/grants-api/index.ts";
import { createEmbeddedRuntime } from "../../local/embedded/runtime.ts";
import { SessionLock } from "../../local/embedded/session.ts";
import { createReadState } from "../../shared/endpoint/read-state.ts";
import { edgeRuntime } from "../../shared/platform/edge.ts";
import { processPlatform } from "../../shared/platform/environment.ts";
import type { ReadRuntime } from "../../shared/runtime.ts";

/** Handlers in this process, over a database. */
interface Service {
  stack: string;
  connection: Connection;
  /** Requests a list with a key. */
  answer(key: string): Promise<Response>;
}

/** Runs `work` on the database named in the environment, else on an embedded one. */
export async function withService(work: (service: Service) => Promise<void>): Promise<void> {
  const url = processPlatform.variable("DATABASE_URL");
  const pglite = url === undefined ? await openPGlite() : undefined;
  const connection = pglite === undefined ? await connectPostgres(url ?? "") : pgliteConnection(pglite);
  let runtimeOf: (request: Request) => ReadRuntime;
  if (pglite === undefined) {
    runtimeOf = edgeRuntime(createReadState);
  } else {
    await migrate(connection);
    const runtime = createEmbeddedRuntime(new SessionLock(pglite), "", withoutWebhooks);
    runtimeOf = () => runtime;
  }
  try {
    await work({
      stack: pglite === undefined ? "native" : "embedded",
      connection,
      answer(key) {
        const headers = { authorization: `Bearer ${key}` };
        const request = new Request("http://127.0.0.1/grants-api?limit=1", { headers });
        return handle(request, runtimeOf(request));
      },
    });
  } finally {
    await connection.close();
  }
}
