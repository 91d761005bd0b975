/**
 * Answer to HEAD as Deno's server has to get it: with a body in place of GET's, which the server does not send. It then has the `Content-Encoding` of
 * GET, or the `Content-Length`. Of an answer without a body, Deno would say that it is not compressed, and that it has no bytes where it has no length.
 */
export function withUnsentBody(request: Request, response: Response): Response {
  const { status, headers, body } = response;
  // An answer without a type has no content for GET either: a 304, a redirect.
  if (request.method !== "HEAD" || body !== null || !headers.has("content-type")) return response;
  return new Response(new Blob().stream(), { status, headers });
}
