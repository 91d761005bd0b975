import type { Admitted, RpcFailure, RpcOutcome } from "../../shared/database/rpc.ts";
import type { QueryContext } from "../../shared/endpoint/endpoint.ts";
import type { RequestContext } from "../../shared/endpoint/request-context.ts";
import { requestDatabase } from "../../shared/endpoint/request-database.ts";
import { tooManyStreams } from "../../shared/overload/stream-limit.ts";
import type { VisitorLimit } from "../../shared/overload/visitor-limit.ts";
import type { ReadRuntime } from "../../shared/runtime.ts";
import type { Site } from "./site.ts";

/** Stands for the hash of a key: see `funding.admit`. All visitors together have one caller's share of the database. */
const visitors = "catalogue";

/** What the catalogue keeps from request to request, beside what reads data. */
export interface CatalogueState {
  readonly visitors: VisitorLimit;
}

export type CatalogueRuntime = ReadRuntime & CatalogueState;

/** A visitor's request, and what answers it. */
export interface Visit {
  site: Site;
  url: URL;
  now: Date;
  query: QueryContext;
}

/** A failure of the database. */
export class ReadFailure extends Error {
  constructor(readonly failure: RpcFailure) {
    super(`${failure.code} ${failure.message}`);
  }
}

/** A part that a page can do without: what stands for it where the database fails to make it. */
export async function optional<Value>({ query }: Visit, part: Promise<Value>, fallback: Value): Promise<Value> {
  try {
    return await part;
  } catch (error) {
    if (!(error instanceof ReadFailure)) throw error;
    // Before the first fit there is no search by meaning.
    if (error.failure.code !== "PT503") query.warn(error.message);
    return fallback;
  }
}

export function createVisit(context: RequestContext, runtime: CatalogueRuntime, site: Site): Visit {
  return {
    site,
    url: new URL(context.request.url),
    now: new Date(),
    query: {
      database: requestDatabase(context, runtime, visitors),
      openStream: async () => ({ ok: false, failure: tooManyStreams.all }),
      // A provider's model costs the operator money, so it is asked for keys alone.
      embeddings: {
        getCached: (query) => runtime.embeddings.getCached(query),
        embed: async () => ({ ok: false, reason: undefined }),
      },
      lists: runtime.lists,
      keyHash: visitors,
      warn: (warning) => context.warn(warning),
    },
  };
}

/** Notes that visitors are active, so that keys beside them get their share. */
export function noteVisitor({ limit }: CatalogueRuntime): void {
  limit.noteAnswer(visitors);
}

/** The body of an RPC's answer. @throws {ReadFailure} */
export async function bodyOf<Body>(call: Promise<RpcOutcome<Admitted<Body>>>): Promise<Body> {
  const outcome = await call;
  if (!outcome.ok) throw new ReadFailure(outcome.failure);
  return outcome.value.body;
}
