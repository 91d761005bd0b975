import type { IncomingMessage } from "node:http";

/** Stands in for a request target that is no URL (`GET http://[ HTTP/1.1`). It is answered with 404. */
const invalidTargetUrl = "http://nowhere.invalid/functions/v1";

/** Methods of which `new Request` makes none. */
const forbiddenMethods = new Set(["CONNECT", "TRACE", "TRACK"]);

/** Web request for a request of Node's server. @throws {TypeError} where a header is not what one may be. */
export function webRequest(message: IncomingMessage, signal: AbortSignal): Request {
  const { method = "GET", rawHeaders } = message;
  const headers = new Headers();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    headers.append(rawHeaders[index] ?? "", rawHeaders[index + 1] ?? "");
  }
  const isForbidden = forbiddenMethods.has(method);
  const body = isForbidden || method === "GET" || method === "HEAD" ? null : bodyOf(message);
  const request = new Request(urlOf(message), {
    method: isForbidden ? "GET" : method,
    headers,
    signal,
    ...(body === null ? {} : { body, duplex: "half" }),
  } as RequestInit);
  if (isForbidden) Object.defineProperty(request, "method", { value: method });
  return request;
}

function urlOf({ url = "/", headers }: IncomingMessage): string {
  const absolute = url.startsWith("/") ? `http://${headers.host ?? "127.0.0.1"}${url}` : url;
  return URL.canParse(absolute) ? absolute : invalidTargetUrl;
}

/** Whether a request has a body, by its head. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) !== 0;
}

/** The body, read as it is asked for. A reader that leaves breaks nothing: the answer is still sent. */
function bodyOf(message: IncomingMessage): ReadableStream<Uint8Array> | null {
  if (!hasBody(message)) return null;
  const chunks = message.iterator({ destroyOnReturn: false });
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done === true) controller.close();
        else controller.enqueue(new Uint8Array(value));
      },
      async cancel() {
        await chunks.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}

/** Takes what is left of a body that nobody reads any more: it stands before the next request of its connection. */
export function discardRest(message: IncomingMessage): void {
  if (message.complete) return;
  // What an abandoned reader left would keep the body from flowing.
  message.removeAllListeners("readable");
  message.resume();
}
