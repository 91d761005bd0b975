import { printable } from "./printable.ts";
import { redact } from "./redact.ts";

/**
 * `debug`: health checks and scrapes; `info`: other requests; `warning`: 503s, and faults that were recovered from; `error`:
 * the rest.
 */
const levels = ["debug", "info", "warning", "error"] as const;
const formats = ["json", "text"] as const;

export type LogLevel = (typeof levels)[number];
export type LogFormat = (typeof formats)[number];

/** Fields of a log line. Undefined ones are left out. */
export type LogFields = Readonly<Record<string, string | number | undefined>>;

/** The operator's log. Every entry is one line, safe to print and without secrets. */
export interface Log {
  write(level: LogLevel, fields: LogFields): void;
}

export interface LogOptions {
  /** Reads a setting of the deployment: `LOG_LEVEL`, which may also be `off`, and `LOG_FORMAT`. */
  variable(name: string): string | undefined;
  /** Least level that is written where `LOG_LEVEL` is not set; by default `info`. */
  level?: LogLevel;
  /** Format where `LOG_FORMAT` is not set; by default `json`. */
  format?: LogFormat;
  print?(level: LogLevel, line: string): void;
}

/** Creates a log that writes lines from a level on, as JSON objects or as text for people. */
export function createLog({ variable, level = "info", format = "json", print = toConsole }: LogOptions): Log {
  const setting = variable("LOG_LEVEL") ?? level;
  const least = setting === "off" ? levels.length : indexOr(levels, setting, level);
  const isText = formats[indexOr(formats, variable("LOG_FORMAT") ?? format, format)] === "text";
  const formatLine = isText ? formatTextLine : formatJsonLine;
  return {
    write(lineLevel, fields) {
      if (levels.indexOf(lineLevel) < least) return;
      print(lineLevel, printable(redact(formatLine(new Date(), lineLevel, fields))));
    },
  };
}

/** Log that writes nothing. */
export const silentLog: Log = { write: () => undefined };

function formatJsonLine(time: Date, level: LogLevel, fields: LogFields): string {
  return JSON.stringify({ time, level, ...fields });
}

/** Prints a line. Platforms that collect logs take the level from the console's method. */
function toConsole(level: LogLevel, line: string): void {
  if (level === "error") console.error(line);
  else if (level === "warning") console.warn(line);
  else console.info(line);
}

/** Returns the index of a value in a list, or of the fallback where the list does not have the value. */
function indexOr<Value>(list: readonly Value[], value: unknown, fallback: Value): number {
  const index = list.indexOf(value as Value);
  return index < 0 ? list.indexOf(fallback) : index;
}

/** Formats a line for a terminal: `22:01:05 info GET /grants-api 200 4.21 ms`, and the other fields as `name=value`. */
function formatTextLine(time: Date, level: LogLevel, fields: LogFields): string {
  const { method, route, status, duration_ms, request_id, ...others } = fields;
  const request = method === undefined ? [] : [method, route ?? "-", status, duration_ms, "ms"];
  // The request's id is for looking up failures.
  const shown = level === "info" || level === "debug" ? others : { ...others, request_id };
  return [time.toISOString().slice(11, 19), level, ...request, ...Object.entries(shown).flatMap(formatField)].join(" ");
}

function formatField([name, value]: [string, string | number | undefined]): string[] {
  if (value === undefined) return [];
  const text = String(value);
  return [`${name}=${/^[^\s"]+$/.test(text) ? text : JSON.stringify(text)}`];
}
