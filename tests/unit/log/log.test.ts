import { describe, expect, test } from "vitest";
import { createLog, type LogLevel } from "../../../shared/log/log.ts";

/** The lines printed, one of each level, with these environment variables. */
function printed(variables: Record<string, string>, options: { level?: LogLevel; format?: "json" | "text" } = {}) {
  const lines: [LogLevel, string][] = [];
  const log = createLog({
    variable: (name) => variables[name],
    print: (level, line) => lines.push([level, line]),
    ...options,
  });
  for (const level of ["debug", "info", "warning", "error"] as const) log.write(level, { function: "x" });
  return lines;
}

const levelsOf = (...given: Parameters<typeof printed>) => printed(...given).map(([level]) => level);

describe("LOG_LEVEL", () => {
  test("is the least that is written", () => {
    expect(levelsOf({ LOG_LEVEL: "debug" })).toEqual(["debug", "info", "warning", "error"]);
    expect(levelsOf({ LOG_LEVEL: "warning" })).toEqual(["warning", "error"]);
    expect(levelsOf({ LOG_LEVEL: "error" })).toEqual(["error"]);
    expect(levelsOf({ LOG_LEVEL: "off" })).toEqual([]);
  });

  test("is the stack's own where it is not set, or no level", () => {
    expect(levelsOf({})).toEqual(["info", "warning", "error"]);
    expect(levelsOf({}, { level: "warning" })).toEqual(["warning", "error"]);
    expect(levelsOf({ LOG_LEVEL: "verbose" }, { level: "warning" })).toEqual(["warning", "error"]);
  });
});

describe("LOG_FORMAT", () => {
  const isJson = (...given: Parameters<typeof printed>) => printed(...given)[0]?.[1].startsWith("{");

  test("is text or json", () => {
    expect(isJson({ LOG_FORMAT: "text" })).toBe(false);
    expect(isJson({ LOG_FORMAT: "json" }, { format: "text" })).toBe(true);
  });

  test("is the stack's own where it is not set, or no format; without one, json", () => {
    expect(isJson({})).toBe(true);
    expect(isJson({}, { format: "text" })).toBe(false);
    expect(isJson({ LOG_FORMAT: "xml" }, { format: "text" })).toBe(false);
  });
});

describe("a line", () => {
  const lineOf = (format: "json" | "text", fields: Record<string, string | number | undefined>, level: LogLevel) => {
    let printed = "";
    const log = createLog({
      variable: () => undefined,
      level: "debug",
      format,
      print: (_level, line) => (printed = line),
    });
    log.write(level, fields);
    return printed;
  };
  const request = {
    request_id: "r-1",
    function: "grants-api",
    method: "GET",
    route: "/grants-api",
    status: 200,
    api_key_id: undefined,
    duration_ms: 4.21,
  };

  test("is one JSON object, with its time and level, without what is undefined", () => {
    const { time, ...line } = JSON.parse(lineOf("json", request, "info"));
    expect(Math.abs(Date.parse(time) - Date.now())).toBeLessThan(10_000);
    const { api_key_id, ...fields } = request;
    expect(line).toEqual({ level: "info", ...fields });
  });

  test("is short for people", () => {
    expect(lineOf("text", request, "info")).toMatch(
      /^\d\d:\d\d:\d\d info GET \/grants-api 200 4.21 ms function=grants-api$/,
    );
    expect(lineOf("text", { ...request, error: 'no "x"' }, "error")).toMatch(
      / error GET .* error="no \\"x\\"" request_id=r-1$/,
    );
  });

  test("that is about no request has its fields alone", () => {
    expect(lineOf("text", { function: "dispatch", note: 'half an"hour' }, "warning")).toMatch(
      /^\d\d:\d\d:\d\d warning function=dispatch note="half an\\"hour"$/,
    );
    expect(lineOf("text", { ...request, note: "two words" }, "debug")).toMatch(
      / function=grants-api note="two words"$/,
    );
  });

  test.each(["json", "text"] as const)("as %s stays one line, whatever is in it", (format) => {
    expect(lineOf(format, { error: "first\nsecond\r\u2028third" }, "error")).not.toMatch(/[\n\r]/);
  });

  test("has no secret in it", () => {
    const key = `fo_live_${"a".repeat(38)}`;
    expect(lineOf("json", { error: `unknown key ${key}` }, "error")).toMatch(/unknown key fo_live_…"}$/);
  });
});
