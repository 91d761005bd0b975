import type { LoggedRequest } from "../../../shared/responses/account/requests.ts";
import { curlCommand } from "../components/code-literals.ts";

/** Routes of a POST whose body has the parameters of the log as its members. */
const bodyEndpoints = ["grants-api/search", "contracts-api/search", "funders-api/search", "semantic-search"];

/**
 * Command line that sends a request once more, without what the log does not keep. Undefined where the log has no parameters of the body. The key is
 * in a variable, so that it does not get into the shell's history.
 */
export function curlOf({ method, endpoint, parameters }: LoggedRequest, baseUrl: string): string | undefined {
  const others = { ...parameters };
  const path = endpoint.replace(/\{(\w+)\}/g, (place, name: string) => {
    const value = others[name];
    delete others[name];
    return value === undefined ? place : encodeURIComponent(value);
  });
  const url = `${baseUrl}/${path}`;
  const query = new URLSearchParams(others).toString();
  const key = "FUNDING_API_KEY";
  if (method === "GET") return curlCommand({ method, url: query === "" ? url : `${url}?${query}` }, key);
  if (method !== "POST" || !bodyEndpoints.includes(endpoint)) return undefined;
  const body = Object.fromEntries(Object.entries(others).map(([name, value]) => [name, typed(name, value)]));
  return curlCommand({ method, url, body }, key);
}

/** A member of a body. The log has texts alone. */
function typed(name: string, value: string): unknown {
  if (value === "true" || value === "false") return value === "true";
  return ["limit", "offset"].includes(name) && /^\d+$/.test(value) ? Number(value) : value;
}
