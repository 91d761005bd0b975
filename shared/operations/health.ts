import { createHandler } from "../endpoint/handler.ts";
import { respondAnswer, respondProblem } from "../endpoint/respond.ts";
import type { Health } from "../responses/health.ts";
import type { Handler, Runtime } from "../runtime.ts";
import { noParameters, readQuery } from "../validation/query.ts";

const routes = [
  { method: "GET", path: "" },
  { method: "GET", path: "/ready" },
] as const;

const notKept = { "Cache-Control": "no-store" };

/**
 * Tells live from ready, to whoever asks: `GET /NAME` that this process answers, without a look at the database, and
 * `GET /NAME/ready` that it can serve; 503 says what is missing.
 *
 * @param name the function's name, which is the first segment of its path.
 */
export function healthEndpoint(name: string): Handler {
  return createHandler(
    name,
    routes,
    async (exchange, { route }, { database, readiness }: Runtime) => {
      const query = readQuery(new URL(exchange.request.url).search, noParameters);
      if (!query.ok) return respondProblem(exchange, query.problem);
      const answer = (body: Health) => respondAnswer(exchange, { body, headers: notKept });
      if (route.path === "") return answer({ status: "live" });
      const faults = await readiness.faultsOf(database);
      if (faults.length === 0) return answer({ status: "ready" });
      const detail = `Not ready: ${faults.join("; ")}.`;
      return respondProblem(exchange, { name: "unavailable", detail, headers: { ...notKept, "Retry-After": "5" } });
    },
    { level: "debug" },
  );
}
