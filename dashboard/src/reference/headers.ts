import { type Header, openApiDocument, type Parameter } from "./openapi.ts";

export interface DescribedHeader {
  /** Anchor on the page of headers. */
  id: string;
  name: string;
  described: Header;
}

/** Headers that requests may have. */
export const requestHeaders: readonly DescribedHeader[] = (
  Object.values(openApiDocument.components.parameters ?? {}) as Parameter[]
)
  .filter((parameter) => parameter.in === "header")
  .map((described) => ({ id: `request.${described.name}`, name: described.name, described }));

/** Headers that answers have. */
export const answerHeaders: readonly DescribedHeader[] = Object.entries(
  (openApiDocument.components.headers ?? {}) as Record<string, Header>,
).map(([name, described]) => ({ id: name, name, described }));
