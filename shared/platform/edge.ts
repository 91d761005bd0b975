import { createDatabaseClient, type DatabaseOptions } from "../database/client.ts";
import type { RpcClient } from "../database/rpc.ts";
import type { EmbeddingPlatform, LocalModel } from "../embeddings/provider.ts";
import type { Log } from "../log/log.ts";
import { createEdgeLimit } from "../overload/concurrency-limit.ts";
import type { Handler, Runtime } from "../runtime.ts";
import { addressInHeader, clientAddressHeader } from "./client-address.ts";
import { answerOn, DeploymentError, requireSettings } from "./deployment.ts";
import { edgeLog, variable } from "./environment.ts";

/** Global objects of the edge runtime, where they exist. */
interface Platform {
  EdgeRuntime?: { waitUntil(work: Promise<unknown>): void };
  Supabase?: { ai: { Session: new (model: string) => LocalModel } };
}

const platform = globalThis as Platform;

/** Ends the message about variables that are missing. */
const howToSet =
  "Supabase gives both to its functions; elsewhere set them in the environment, the key also as SUPABASE_SERVICE_ROLE_KEY (docs/operate/install.md).";

/** Inputs of a function's own state. */
export interface EdgeDeployment extends EmbeddingPlatform {
  database: RpcClient;
  log: Log;
  /** The Supabase project. */
  project: DatabaseOptions;
  /** Address of the API, up to and including `/functions/v1`, where the operator has set none. */
  apiUrl: string;
}

/**
 * Makes a function's handler the one that the edge runtime calls.
 *
 * @param createState makes what the function needs beside a `Runtime`, once in an isolate, at the first request.
 */
export function onEdge(handle: Handler<Runtime>): (request: Request) => Promise<Response>;
export function onEdge<State extends object>(
  handle: Handler<Runtime & State>,
  createState: (deployment: EdgeDeployment) => State,
): (request: Request) => Promise<Response>;
export function onEdge(handle: Handler<Runtime>, createState: (deployment: EdgeDeployment) => object = () => ({})) {
  const runtimeOf = edgeRuntime(createState);
  return (request: Request) => answerOn(request, () => runtimeOf(request), edgeLog, handle);
}

/**
 * Returns the maker of the runtime of each request to this Supabase Edge Function. State that outlives a request is made at the first one.
 *
 * Environment: `SUPABASE_URL`; the service key in `SUPABASE_SECRET_KEYS` (JSON, member `default`), `SUPABASE_SECRET_KEY`
 * or `SUPABASE_SERVICE_ROLE_KEY`, whichever comes first; optionally `SUPABASE_READ_URL` and `SUPABASE_READ_METHOD` (docs/operate/replicas.md),
 * `DATABASE_CONCURRENCY`, `CLIENT_ADDRESS_HEADER`, `LOG_...`, and the variables that functions read (see docs/operate/install.md).
 *
 * The maker throws a `DeploymentError` when a required variable is missing: the deployment is not complete.
 */
export function edgeRuntime<State extends object>(
  createState: (deployment: EdgeDeployment) => State,
): (request: Request) => Runtime & State {
  let isolate: (Runtime & State) | undefined;
  let addressHeader: string | undefined;
  return (request) => {
    if (isolate === undefined) {
      const deployment = readDeployment();
      addressHeader = clientAddressHeader(variable);
      isolate = {
        database: deployment.database,
        limit: createEdgeLimit(variable),
        log: edgeLog,
        // Without EdgeRuntime the process simply stays, and the work with it.
        waitUntil: (work) => platform.EdgeRuntime?.waitUntil(work),
        variable,
        ...createState(deployment),
      };
    }
    return { ...isolate, clientAddress: addressInHeader(request.headers, addressHeader) };
  };
}

function readDeployment(): EdgeDeployment {
  const [SUPABASE_URL = "", SUPABASE_SECRET_KEY = ""] = [variable("SUPABASE_URL"), serviceKey()];
  requireSettings({ SUPABASE_URL, SUPABASE_SECRET_KEY }, howToSet);
  const project = { url: SUPABASE_URL, serviceKey: SUPABASE_SECRET_KEY };
  const ai = platform.Supabase?.ai;
  return {
    database: createDatabaseClient(project, variable, edgeLog),
    log: edgeLog,
    variable,
    project,
    apiUrl: `${project.url}/functions/v1`,
    ...(ai === undefined ? {} : { localModel: (name: string) => new ai.Session(name) }),
  };
}

function serviceKey(): string | undefined {
  const named = readJson(variable("SUPABASE_SECRET_KEYS") ?? "{}") as { default?: string } | null;
  return named?.default ?? variable("SUPABASE_SECRET_KEY") ?? variable("SUPABASE_SERVICE_ROLE_KEY");
}

/** @throws {DeploymentError} in words of our own: JSON.parse repeats the text, which holds a secret. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new DeploymentError("The variable SUPABASE_SECRET_KEYS is no JSON.");
  }
}
