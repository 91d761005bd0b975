/** Response headers, by name. */
export const headers = {
  "X-RateLimit-Limit": {
    description:
      "The account's requests a UTC day; -1 means unlimited. 0 if the request was not admitted. In the account API, writes of this kind a UTC day; -1 for reads, and for writes that were refused for another reason, because they count against no limit.",
    required: true,
    schema: { type: "integer", minimum: -1, examples: [-1, 1000] },
  },
  "X-RateLimit-Remaining": {
    description:
      "Requests left until the reset at midnight UTC; -1 means unlimited. In the account API, writes of this kind.",
    required: true,
    schema: { type: "integer", minimum: -1, examples: [-1, 998] },
  },
  "X-RateLimit-Reset": {
    description: "When the remaining writes are reset, at midnight UTC: Unix time in seconds. Absent without a limit.",
    schema: { type: "integer", minimum: 0, examples: [1795392000] },
  },
  "X-Request-Id": {
    description: "The request's id: the client's own, or a new one.",
    required: true,
    schema: { type: "string", pattern: "^[\\w.:-]{1,128}$", examples: ["5f0c1f6e-5b0e-4a53-a6b2-0a8c1f5b7d11"] },
  },
  Link: {
    description:
      'This description (`rel="service-desc"`); the next page of a list (`rel="next"`); on answers to a deprecated parameter, its documentation (`rel="deprecation"`).',
    required: true,
    schema: { type: "string", examples: ['</functions/v1/openapi>; rel="service-desc"'] },
  },
  "Cache-Control": {
    description: "Answers are for their caller alone, and must be revalidated before they are used again.",
    required: true,
    schema: { type: "string", examples: ["private, no-cache", "private, no-store", "no-store"] },
  },
  Vary: {
    description: "Answers differ by key and may be compressed; those of lists differ by the accepted format.",
    required: true,
    schema: { type: "string", examples: ["Authorization, Accept-Encoding", "Authorization, Accept, Accept-Encoding"] },
  },
  ETag: {
    description:
      'Changes when the answer does. Send it back in `If-None-Match`. It is weak (`W/"..."`), but for files of snapshots.',
    required: true,
    schema: { type: "string", pattern: '^(W/)?"[^"]+"$', examples: ['W/"9f2c7a41d0b35e6688aa17c4"'] },
  },
  "Last-Modified": {
    description: "When the answer last changed. Absent for ten seconds after a change.",
    schema: { type: "string", examples: ["Wed, 25 Nov 2026 13:00:00 GMT"] },
  },
  "Retry-After": {
    description: "Seconds to wait before the request is sent again.",
    required: true,
    schema: { type: "integer", minimum: 1, examples: [5] },
  },
  "Server-Timing": {
    description:
      "Milliseconds spent waiting in the queue of requests (`queue`), for the database (`db`) and for a query's vector (`embed`), and the `total` until the answer began. Absent on a 401 and on the answer to a preflight.",
    schema: {
      type: "string",
      pattern: "^((queue|db|embed);dur=\\d+(\\.\\d+)?, )*total;dur=\\d+(\\.\\d+)?$",
      examples: ["db;dur=2.31, total;dur=2.84"],
    },
  },
  "X-Total-Count": {
    description: "On CSV: the number of matching records, of which the file has at most 10,000.",
    schema: { type: "integer", minimum: 0, examples: [129] },
  },
  "Content-Disposition": {
    description: "On CSV and files: the file's name.",
    schema: { type: "string", examples: ['attachment; filename="grants.csv"'] },
  },
  "Accept-Ranges": {
    description: "Parts of the file can be asked for with `Range`.",
    schema: { type: "string", enum: ["bytes"], examples: ["bytes"] },
  },
  "Content-Range": {
    description: "Which bytes of the file these are, and the file's size.",
    schema: { type: "string", pattern: "^bytes \\d+-\\d+/\\d+$", examples: ["bytes 500-999/21400331"] },
  },
  Location: {
    description: "Address of the file.",
    required: true,
    schema: {
      type: "string",
      format: "uri",
      examples: ["https://example.supabase.co/storage/v1/object/sign/snapshots/x"],
    },
  },
  Deprecation: {
    description:
      "On answers to requests with a deprecated parameter: when it was deprecated, in Unix seconds after an @ (RFC 9745).",
    schema: { type: "string", pattern: "^@\\d+$", examples: ["@1781049600"] },
  },
  "Idempotent-Replayed": {
    description: "`true` on the answer to a repetition: it is that of the first request with this `Idempotency-Key`.",
    schema: { type: "string", enum: ["true"], examples: ["true"] },
  },
  "WWW-Authenticate": {
    description: "How to authenticate.",
    required: true,
    schema: { type: "string", examples: ['Bearer realm="funding"'] },
  },
} as const;

export type HeaderName = keyof typeof headers;

const common: HeaderName[] = [
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-Request-Id",
  "Link",
  "Cache-Control",
  "Vary",
  "Server-Timing",
];

/** References to the headers of a response: the common ones and more. */
export function responseHeaders(...more: HeaderName[]): Record<string, { $ref: string }> {
  return Object.fromEntries([...common, ...more].map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
