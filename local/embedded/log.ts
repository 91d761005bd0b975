import { createLog } from "../../shared/log/log.ts";
import { processPlatform } from "../../shared/platform/process.ts";

/**
 * The log of the embedded server, on standard error, so that what it prints at its start can be read by programs. In
 * text and from warnings on: who starts it wants to see its first lines, and what goes wrong.
 */
export const embeddedLog = createLog({
  variable: processPlatform.variable,
  level: "warning",
  format: "text",
  print: (_level, line) => console.error(line),
});
