import { filters, presentation } from "../catalogue/filters.ts";
import type { Filter } from "../catalogue/rules.ts";
import type { RequestLine } from "../database/rpc.ts";
import { loggedHeaders } from "../http/headers.ts";
import type { FieldError, Problem } from "../http/problems.ts";
import { redact } from "../log/redact.ts";

/** Parameters with text in the user's own words. The account decides whether their values are kept. */
const searchNames = new Set(["search", "query", "q", "geography"]);

/** Parameters that are logged. Under any other name a client may have written anything, for example a key. */
export const loggedNames: ReadonlySet<string> = new Set([
  ...Object.entries<Filter>(filters).flatMap(([name, { parameter }]) => (parameter === undefined ? [] : [name])),
  ...presentation,
  // Of semantic search, of suggestions, and of CommonGrants.
  ...["query", "type", "q", "kinds", "page", "pageSize", "registry", "id", "at"],
]);

/** Names that sentences of the log may have: also fields of a CommonGrants search, whose values are not logged. */
export const ourNames: ReadonlySet<string> = new Set([...loggedNames, "filters", "sorting", "pagination"]);

/** Longest value and longest sentence in the log, in characters. */
const maximumLength = 500;

/** Longest value that was refused and is logged whole, in characters: a wrong date, a misspelt choice. */
const maximumRefusedLength = 20;

/** Wrong fields of one request that are logged. */
const maximumLoggedErrors = 10;

/** A finished request, of which `requestLine` makes a line of the log. */
export interface FinishedRequest {
  requestId: string;
  request: Request;
  /** When it ended, RFC 3339. */
  at: string;
  elapsedMs: number;
  /** Texts in place of the path's segments in braces. */
  segments: Readonly<Record<string, string>>;
  /** Fields of the body, if it has one and was valid. */
  body: object | undefined;
  problem: Problem | undefined;
  /** Headers of its answer. */
  headers: Headers;
}

/**
 * Makes the line of the request log, without secrets, and with searches apart from other parameters. Of a long value that
 * was refused only the start is logged: it may be anything, for example a password in the wrong place.
 */
export function requestLine({
  requestId,
  request,
  at,
  elapsedMs,
  segments,
  body,
  problem,
  headers,
}: FinishedRequest): RequestLine {
  const parameters: Record<string, string> = {};
  const searches: Record<string, string> = {};
  const refused = new Set(problem?.errors?.map(({ parameter }) => parameter));
  const log = (name: string, value: string) => {
    const isCut = refused.has(name) && value.length > maximumRefusedLength;
    const logged = isCut ? `${value.slice(0, 8)}…` : value;
    // A list may be given several times.
    parameters[name] = shorten(parameters[name] === undefined ? logged : `${parameters[name]},${logged}`);
  };
  for (const [name, value] of given(request.url, body)) {
    if (searchNames.has(name)) searches[name] = shorten(value);
    else if (loggedNames.has(name)) log(name, value);
  }
  for (const [name, value] of Object.entries(segments)) log(name, value);
  return {
    request_id: requestId,
    at,
    method: request.method,
    duration_ms: Math.round(elapsedMs * 100) / 100,
    parameters,
    ...(Object.keys(searches).length > 0 && { searches }),
    head: Object.fromEntries(
      loggedHeaders.flatMap((name) => {
        const value = headers.get(name);
        return value === null ? [] : [[name, shorten(value)]];
      }),
    ),
    ...(problem && {
      problem: problem.name,
      detail: withoutSearches(shorten(withoutForeignName(problem)), searches),
      errors: loggedErrors(problem, searches),
    }),
  };
}

/** The first wrong fields of a problem, as the line may have them. */
function loggedErrors({ errors = [] }: Problem, searches: Readonly<Record<string, string>>): FieldError[] {
  return errors.slice(0, maximumLoggedErrors).map(({ parameter, message }) => {
    const name = ownPart(parameter);
    return {
      parameter: name,
      message: withoutSearches(shorten(name === parameter ? message : withoutNames(message)), searches),
    };
  });
}

function given(url: string, body: object | undefined): Iterable<[string, string]> {
  if (body instanceof URLSearchParams) return body;
  if (body !== undefined) return Object.entries(body).map(([name, value]) => [name, String(value)]);
  const start = url.indexOf("?");
  return start < 0 ? [] : new URLSearchParams(url.slice(start));
}

/** The text without secrets and without characters that JSON columns refuse, cut to `maximumLength`. */
function shorten(text: string): string {
  return redact(text.slice(0, 2 * maximumLength))
    .replaceAll("\0", "")
    .slice(0, maximumLength)
    .toWellFormed();
}

/**
 * The problem's sentence, which begins with the name of the first refused parameter, with an ellipsis in place of what is not our name, and without the
 * list of all that there are, which would fill the line.
 */
function withoutForeignName({ detail, errors: [first] = [] }: Problem): string {
  if (first === undefined || !detail.startsWith(first.parameter)) return detail;
  const name = ownPart(first.parameter);
  if (name === first.parameter) return detail;
  return `${name}${withoutNames(detail.slice(first.parameter.length))}`;
}

/** The name of a field, with an ellipsis in place of what is not our name. Of a field in a body's object, the object's own name stays. */
function ownPart(parameter: string): string {
  if (ourNames.has(parameter)) return parameter;
  const [object = ""] = parameter.split(".", 1);
  const isOurs = parameter.length > object.length && ourNames.has(object);
  return `${isOurs ? `${object}.` : ""}…`;
}

/** The sentence about an unknown name without the list of those that there are. */
function withoutNames(sentence: string): string {
  return sentence.replace(/; it takes [\w, ]+\w/, "");
}

/** The sentence with search texts replaced by an ellipsis. */
function withoutSearches(sentence: string, searches: Readonly<Record<string, string>>): string {
  return Object.values(searches).reduce(
    (text, search) => (search.length > 3 ? text.replaceAll(search, "…") : text),
    sentence,
  );
}
