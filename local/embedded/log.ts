import { createLog } from "../../shared/log/log.ts";
import { processPlatform } from "../../shared/platform/environment.ts";
import { printError } from "../print.ts";

/**
 * Log of the embedded server. It goes to standard error, since programs read the start's lines on standard output. The
 * default is text, from warnings on: a person at a terminal wants the start's lines and the failures.
 */
export const embeddedLog = createLog({
  variable: processPlatform.variable,
  level: "warning",
  format: "text",
  print: (_level, line) => printError(line),
});
