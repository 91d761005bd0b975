import { createLog } from "../log/log.ts";
import { variable } from "./environment.ts";

/** The log of an edge function: what the platform makes of the console's lines. */
export const edgeLog = createLog({ variable });
