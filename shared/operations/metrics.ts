import { showsSecret } from "../auth/operator-secret.ts";
import { refusalFor } from "../endpoint/failures.ts";
import { createHandler } from "../endpoint/handler.ts";
import { respondAnswer, respondProblem } from "../endpoint/respond.ts";
import type { Handler, Runtime } from "../runtime.ts";
import { metricFamilies } from "./metric-families.ts";
import { prometheusText, prometheusType } from "./prometheus.ts";

/**
 * `GET /NAME`: the counters of the database in Prometheus's text format, for who shows `METRICS_SECRET` in
 * `Authorization: Bearer SECRET`. Where none is set it is off: 404.
 *
 * They are the database's because instances of a function come and go, and none knows of the others.
 *
 * @param name the function's name, which is its path.
 */
export function metricsEndpoint(name: string): Handler {
  return createHandler(
    name,
    [{ method: "GET", path: "" }],
    async (exchange, _found, runtime: Runtime) => {
      const secret = runtime.variable("METRICS_SECRET");
      if (secret === undefined) {
        return respondProblem(exchange, { name: "unknown-route", detail: "Metrics are not set up here." });
      }
      if (!(await showsSecret(exchange.request, secret))) {
        return respondProblem(exchange, {
          name: "unauthorized",
          detail: "Metrics are for the operator, who knows their secret.",
          headers: { "WWW-Authenticate": 'Bearer realm="metrics"' },
        });
      }
      const outcome = await exchange.databaseOf(runtime).call("get_metrics", {});
      if (!outcome.ok) {
        exchange.error = `${outcome.failure.code} ${outcome.failure.message}`;
        return respondProblem(exchange, refusalFor(outcome.failure, new Date()).problem);
      }
      return respondAnswer(exchange, {
        text: prometheusText(metricFamilies(outcome.value)),
        headers: { "Content-Type": prometheusType, "Cache-Control": "no-store" },
      });
    },
    { level: "debug" },
  );
}
