import { createHandler } from "../../shared/endpoint/handler.ts";
import { respondAnswer, respondProblem } from "../../shared/endpoint/respond.ts";
import { onEdge } from "../../shared/platform/edge.ts";
import { release } from "../../shared/release.ts";
import type { Health } from "../../shared/responses/health.ts";
import type { Runtime } from "../../shared/runtime.ts";
import { noParameters, readQuery } from "../../shared/validation/query.ts";
import { ReadinessCache } from "./readiness.ts";

/** Dependencies of the function `health` beside a `Runtime`. */
export interface HealthState {
  /** Cache of the last readiness check. */
  readonly readiness: ReadinessCache;
}

const routes = [
  { method: "GET", path: "" },
  { method: "GET", path: "/ready" },
] as const;

const noStore = { "Cache-Control": "no-store" };

/**
 * Liveness and readiness, for any caller. `GET /health`: this process answers; the database is not asked.
 * `GET /health/ready`: it can serve requests; otherwise 503, with the reasons in `detail`.
 */
export const handle = createHandler(
  "health",
  routes,
  async (context, { route }, { database, readiness }: Runtime & HealthState) => {
    const query = readQuery(new URL(context.request.url).search, noParameters);
    if (!query.ok) return respondProblem(context, query.problem);
    const answer = (body: Health) => respondAnswer(context, { body, headers: noStore });
    if (route.path === "") return answer({ status: "live", release });
    const { failures, warnings, dataAsOf } = await readiness.check(database);
    if (failures.length === 0) {
      const freshness = dataAsOf === undefined ? {} : { data_as_of: dataAsOf };
      return answer({ status: "ready", release, ...(warnings.length === 0 ? {} : { warnings }), ...freshness });
    }
    const detail = `Not ready: ${failures.join("; ")}.`;
    return respondProblem(context, { name: "unavailable", detail, headers: { ...noStore, "Retry-After": "5" } });
  },
  { level: "debug" },
);

export default { fetch: onEdge(handle, () => ({ readiness: new ReadinessCache() })) };
