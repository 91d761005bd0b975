import type { LogFields, LogLevel } from "./log.ts";

/** A line for a terminal: `22:01:05 info GET /grants-api 200 4.21 ms`, and the other fields as `name=value`. */
export function textLine(time: Date, level: LogLevel, fields: LogFields): string {
  const { method, route, status, duration_ms, request_id, ...others } = fields;
  const request = method === undefined ? [] : [method, route ?? "-", status, duration_ms, "ms"];
  // A request's id is of use where something is to be looked up.
  const shown = level === "info" || level === "debug" ? others : { ...others, request_id };
  return [time.toISOString().slice(11, 19), level, ...request, ...Object.entries(shown).flatMap(pair)].join(" ");
}

function pair([name, value]: [string, string | number | undefined]): string[] {
  if (value === undefined) return [];
  const text = String(value);
  return [`${name}=${/^[^\s"]+$/.test(text) ? text : JSON.stringify(text)}`];
}
