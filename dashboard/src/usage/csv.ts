import type { Step, UsagePoint } from "../charts/steps.ts";

/** Usage by day or hour as CSV: a header, then a line for each. Times are in milliseconds, empty where nothing was answered. */
export function usageCsv(step: Step, points: readonly UsagePoint[]): string {
  const lines = points.map(({ at, requests, client_errors, server_errors, latency_ms: { p50, p95, p99 } }) =>
    [at, requests, client_errors, server_errors, p50 ?? "", p95 ?? "", p99 ?? ""].join(","),
  );
  return `${[`${step},requests,client_errors,server_errors,p50_ms,p95_ms,p99_ms`, ...lines].join("\r\n")}\r\n`;
}
