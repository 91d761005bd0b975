import { textLine } from "./format.ts";
import { redacted } from "./redact.ts";

/** What is written at which level: `debug` what only asks how we are, `info` requests, `warning` what was got over. */
const levels = ["debug", "info", "warning", "error"] as const;
const formats = ["json", "text"] as const;

export type LogLevel = (typeof levels)[number];
export type LogFormat = (typeof formats)[number];

/** What a line tells. Undefined is left out. */
export type LogFields = Readonly<Record<string, string | number | undefined>>;

/** Where everything that is for the operator goes: one line each. */
export interface Log {
  write(level: LogLevel, fields: LogFields): void;
}

export interface LogOptions {
  /** A setting of the deployment: `LOG_LEVEL`, which may also be `off`, and `LOG_FORMAT`. */
  variable(name: string): string | undefined;
  /** Where neither says otherwise. */
  level?: LogLevel;
  format?: LogFormat;
  print?(level: LogLevel, line: string): void;
}

/** A log of lines from a level on, as JSON objects or as text for people. */
export function createLog({ variable, level = "info", format = "json", print = toConsole }: LogOptions): Log {
  const wanted = variable("LOG_LEVEL") ?? level;
  const least = wanted === "off" ? levels.length : indexOr(levels, wanted, level);
  const lineOf = formats[indexOr(formats, variable("LOG_FORMAT") ?? format, format)] === "text" ? textLine : jsonLine;
  return {
    write(of, fields) {
      if (levels.indexOf(of) >= least) print(of, redacted(lineOf(new Date(), of, fields)));
    },
  };
}

/** For what keeps no log. */
export const silentLog: Log = { write: () => undefined };

function jsonLine(time: Date, level: LogLevel, fields: LogFields): string {
  return JSON.stringify({ time, level, ...fields });
}

/** The platforms that collect logs read the level off the method. */
function toConsole(level: LogLevel, line: string): void {
  if (level === "error") console.error(line);
  else if (level === "warning") console.warn(line);
  else console.info(line);
}

/** The place of a value in a list, or of the other one where it is not in it. */
function indexOr<Value>(list: readonly Value[], value: unknown, other: Value): number {
  const place = list.indexOf(value as Value);
  return place < 0 ? list.indexOf(other) : place;
}
