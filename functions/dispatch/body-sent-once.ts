/**
 * Body of a request that `fetch` sends once. When the connection breaks before an answer, Deno's `fetch` sends a text or bytes again by itself, also
 * where the receiver has read them. A Blob is a stream of known length, which cannot be sent again. The request then fails, and the caller decides.
 */
export function bodySentOnce(text: string): Blob {
  return new Blob([text]);
}
