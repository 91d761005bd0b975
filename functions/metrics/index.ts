import { hasBearerSecret } from "../../shared/auth/credential.ts";
import { problemForFailure } from "../../shared/endpoint/database-failures.ts";
import { createHandler } from "../../shared/endpoint/handler.ts";
import { requestDatabase } from "../../shared/endpoint/request-database.ts";
import { respondAnswer, respondProblem } from "../../shared/endpoint/respond.ts";
import { onEdge } from "../../shared/platform/edge.ts";
import type { Runtime } from "../../shared/runtime.ts";
import { metricFamilies } from "./metric-families.ts";
import { prometheusText, prometheusType } from "./prometheus.ts";

/**
 * `GET /metrics`: the database's counters in Prometheus's text format. The secret in `METRICS_SECRET` is required as
 * `Authorization: Bearer SECRET`; where none is set, the answer is 404.
 *
 * The counters are in the database because instances of a function come and go, and none knows of the others.
 */
export const handle = createHandler(
  "metrics",
  [{ method: "GET", path: "" }],
  async (context, _match, runtime: Runtime) => {
    const secret = runtime.variable("METRICS_SECRET");
    if (secret === undefined) {
      return respondProblem(context, { name: "unknown-route", detail: "Metrics are not set up here." });
    }
    if (!(await hasBearerSecret(context.request, secret))) {
      return respondProblem(context, {
        name: "unauthorized",
        detail: "Metrics are for the operator: send METRICS_SECRET in the header `Authorization: Bearer <SECRET>`.",
        headers: { "WWW-Authenticate": 'Bearer realm="metrics"' },
      });
    }
    const outcome = await requestDatabase(context, runtime, "metrics").call("get_metrics", {});
    if (!outcome.ok) {
      context.error = `${outcome.failure.code} ${outcome.failure.message}`;
      return respondProblem(context, problemForFailure(outcome.failure, new Date()).problem);
    }
    return respondAnswer(context, {
      text: prometheusText(metricFamilies(outcome.value)),
      headers: { "Content-Type": prometheusType, "Cache-Control": "no-store" },
    });
  },
  { level: "debug" },
);

export default { fetch: onEdge(handle) };
