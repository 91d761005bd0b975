import type { LoggedRequest } from "../../../shared/responses/account/requests.ts";
import { plural } from "../format/numbers.ts";
import { hasWords } from "../format/words.ts";

/** The parameters of a request, each as a text: `states=OH`, `search=… (11 characters)`. */
export function parameterTexts({ parameters, withheld }: Pick<LoggedRequest, "parameters" | "withheld">): string[] {
  return [
    ...Object.entries(parameters).map(([name, value]) => `${name}=${value}`),
    ...Object.entries(withheld).map(([name, characters]) => `${name}=… (${plural(characters, "character")})`),
  ];
}

/** Whether a request has every word of a text: in its route, parameters, problem, status, key or id. */
export function requestHasWords(request: LoggedRequest, text: string): boolean {
  const { request_id, method, endpoint, status, key, problem } = request;
  const content = [
    ...[request_id, `${method} /${endpoint}`, String(status), key.name, problem?.name ?? "", problem?.detail ?? ""],
    ...parameterTexts(request),
  ];
  return hasWords(content, text);
}
