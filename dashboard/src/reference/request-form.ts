import type { HttpRequest } from "../components/code-literals.ts";
import type { Parameter } from "./openapi.ts";
import type { Operation } from "./operations.ts";
import { sampleRequest } from "./samples.ts";

/** State of the form that sends an operation: the parameters and the body, as text. */
export interface RequestForm {
  values: Readonly<Record<string, string>>;
  body: string;
}

/** Limit of the parameters that are shown together. With more, those that the sample leaves out are folded. */
const shownParameters = 5;

/** Form with the sample's values. */
export function sampleForm(operation: Operation, accountId?: string): RequestForm {
  const { path, query, body } = sampleRequest(operation);
  const account = operation.parameters.some(({ name }) => name === "X-Account-Id") ? { "X-Account-Id": accountId } : {};
  const given = Object.entries({ ...path, ...query, ...account }).filter(([, value]) => value !== undefined);
  return {
    values: Object.fromEntries(given.map(([name, value]) => [name, String(value)])),
    body: body === undefined ? "" : JSON.stringify(body, null, 2),
  };
}

/** Parameters that the form shows first, and the others. */
export function parameterGroups(operation: Operation): { main: Parameter[]; more: Parameter[] } {
  const { values } = sampleForm(operation);
  const inAddress = operation.parameters.filter((parameter) => parameter.in !== "header");
  const isMain = (parameter: Parameter) =>
    parameter.in !== "header" && (inAddress.length <= shownParameters || parameter.name in values);
  return {
    main: operation.parameters.filter(isMain),
    more: operation.parameters.filter((parameter) => !isMain(parameter)),
  };
}

/** The form's request. Empty parameters are left out. */
export function requestOf(
  { method, path, parameters, body }: Operation,
  form: RequestForm,
  baseUrl: string,
): HttpRequest {
  const given = (place: Parameter["in"]) =>
    parameters
      .filter((parameter) => parameter.in === place && form.values[parameter.name]?.trim())
      .map(({ name }): [string, string] => [name, form.values[name]?.trim() ?? ""]);
  const ofPath = Object.fromEntries(given("path"));
  const url = baseUrl + path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(ofPath[name] ?? ""));
  const query = new URLSearchParams(given("query")).toString();
  return {
    method: method as HttpRequest["method"],
    url: query === "" ? url : `${url}?${query}`,
    headers: Object.fromEntries(given("header")),
    ...(body === undefined || form.body.trim() === "" ? {} : { body: form.body }),
  };
}

/** Whether an operation changes something. A POST that only reads takes an API key, or no Idempotency-Key. */
export function isChange({ method, security, parameters }: Operation): boolean {
  if (method === "PATCH" || method === "DELETE") return true;
  const isIdempotent = parameters.some(({ name }) => name === "Idempotency-Key");
  return method === "POST" && (security === undefined || isIdempotent);
}
