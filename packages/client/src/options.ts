/**
 * Checks the base address of requests, and removes slashes at its end.
 *
 * @throws TypeError when it is not an absolute http or https address, or has credentials, a query or a fragment.
 */
export function checkBaseUrl(baseUrl: unknown): string {
  const expected =
    "expected the service's address, up to and including /functions/v1: https://api.example.org/functions/v1";
  const refuse = (fault: string) => new TypeError(`createFundingClient: baseUrl ${fault}; ${expected}`);
  if (baseUrl === undefined || baseUrl === null) throw refuse("is missing");
  if (typeof baseUrl !== "string") throw refuse(`is not text but a ${typeof baseUrl}`);
  if (baseUrl.trim() === "") throw refuse("is empty");
  const url = parseUrl(baseUrl);
  if (url === undefined) throw refuse(`is not an absolute URL (${JSON.stringify(baseUrl.slice(0, 80))})`);
  if (!["http:", "https:"].includes(url.protocol))
    throw refuse(`is of the scheme ${url.protocol} and not of http or https`);
  // fetch refuses credentials; paths would be appended to a query or fragment.
  if (url.username !== "" || url.password !== "") throw refuse("has a user name or a password in it");
  if (/[?#]/.test(baseUrl)) throw refuse("has a query or a fragment");
  return baseUrl.trim().replace(/\/+$/, "");
}

/**
 * Checks the API key, and removes space around it.
 *
 * @throws TypeError when it is missing, or has characters that a header cannot have. The key is not in the message.
 */
export function checkApiKey(apiKey: unknown): string {
  const refuse = (fault: string) =>
    new TypeError(`createFundingClient: apiKey ${fault}; expected an API key, fo_live_ and 38 characters`);
  if (apiKey === undefined || apiKey === null) throw refuse("is missing");
  if (typeof apiKey !== "string") throw refuse(`is not text but a ${typeof apiKey}`);
  const key = apiKey.trim();
  if (key === "") throw refuse("is empty");
  if (!/^[\x21-\x7e]+$/.test(key)) throw refuse("has space, control or non-ASCII characters in it");
  return key;
}

/** Parses a URL. `URL.parse` is not in every runtime yet. */
function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/**
 * Returns a part of a path: an id, or a file's name. A path without it, or with dots, would be another route's.
 *
 * @throws TypeError when it is empty or dots.
 */
export function checkId(id: string, name = "id"): string {
  if (["", ".", ".."].includes(id)) throw new TypeError(`the ${name} is ${JSON.stringify(id)}`);
  return id;
}
