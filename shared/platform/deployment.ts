import { serverError } from "../endpoint/handler.ts";
import { RequestContext } from "../endpoint/request-context.ts";
import { respondProblem } from "../endpoint/respond.ts";
import type { Log } from "../log/log.ts";

/** Settings of the deployment are missing or wrong, so that it can answer nothing. The message names settings, never what they hold. */
export class DeploymentError extends Error {}

/** @throws {DeploymentError} that names those of the settings that are missing, if any are. */
export function requireSettings(settings: Readonly<Record<string, string | undefined>>, howToSet: string): void {
  const missing = Object.keys(settings).filter((name) => !settings[name]);
  if (missing.length > 0) throw new DeploymentError(`This deployment lacks ${missing.join(" and ")}. ${howToSet}`);
}

/**
 * Answers a request with the runtime of its deployment. Where that cannot be made, the log and the answer say why. The platforms' own answer to an
 * exception is a bare 500.
 */
export async function answerOn<Needs>(
  request: Request,
  createRuntime: () => Needs,
  log: Log,
  handle: (request: Request, runtime: Needs) => Promise<Response>,
): Promise<Response> {
  let runtime: Needs;
  try {
    runtime = createRuntime();
  } catch (error) {
    const context = new RequestContext(request, undefined, log);
    context.error = String((error as Error).message);
    const detail = error instanceof DeploymentError ? error.message : serverError.detail;
    const response = respondProblem(context, { ...serverError, detail });
    context.end(response.status);
    return response;
  }
  return handle(request, runtime);
}
