import type { AccountUsage } from "../../../shared/responses/account/usage.ts";

/** Usage by day as CSV: a header, then a line a day. Times are in milliseconds, empty where nothing was answered. */
export function usageCsv(days: AccountUsage["days"]): string {
  const lines = days.map(({ day, requests, client_errors, server_errors, latency_ms: { p50, p95, p99 } }) =>
    [day, requests, client_errors, server_errors, p50 ?? "", p95 ?? "", p99 ?? ""].join(","),
  );
  return `${["day,requests,client_errors,server_errors,p50_ms,p95_ms,p99_ms", ...lines].join("\r\n")}\r\n`;
}
