/** Encodings in which a build's files are kept, the smallest first. */
const encodings = ["br", "gzip"] as const;

export type ContentEncoding = (typeof encodings)[number];

/**
 * Returns the encoding to send a file in (RFC 9110, 12.5.3): of those that the file is kept in and the client accepts, the one
 * that it prefers, then the smallest. Undefined means as it is, which is also the answer for a client that names none.
 */
export function chooseEncoding(
  acceptEncoding: string | null,
  kept: { has(encoding: ContentEncoding): boolean },
): ContentEncoding | undefined {
  const weights = readWeights(acceptEncoding ?? "");
  const weightOf = (encoding: string) => weights.get(encoding) ?? weights.get("*") ?? 0;
  const accepted = encodings.filter((encoding) => kept.has(encoding) && weightOf(encoding) > 0);
  // A stable sort: of equals, the smallest stays first.
  const [best] = accepted.sort((one, other) => weightOf(other) - weightOf(one));
  return best !== undefined && weightOf(best) >= (weights.get("identity") ?? 0) ? best : undefined;
}

/** Weights by lower-case encoding. A weight that cannot be read is 0: such a client gets what everybody can read. */
function readWeights(acceptEncoding: string): Map<string, number> {
  const items = acceptEncoding.toLowerCase().split(",");
  return new Map(
    items.map((item) => {
      const [name = "", ...parameters] = item.split(";").map((part) => part.trim());
      const weight = parameters.find((parameter) => parameter.startsWith("q="));
      return [name, weight === undefined ? 1 : Number(weight.slice(2)) || 0] as const;
    }),
  );
}
