import { examplesOf } from "./example.ts";
import { type Answer, openApiDocument } from "./openapi.ts";

/** A kind of failure (RFC 9457). */
export interface DescribedProblem {
  /** Last part of its type: `quota-exceeded`. */
  name: string;
  type: string;
  status: string;
  title: string;
  /** Problem document with it, where the document has an example. */
  example: unknown;
}

/** All problems, from the table in the document's description. */
export const problems: readonly DescribedProblem[] = readProblems();

function readProblems(): DescribedProblem[] {
  const rows = openApiDocument.info.description.matchAll(/^\| `([^`]+:([a-z-]+))` \| (\d+) \| (.+) \|$/gm);
  const examples = examplesByType();
  return [...rows].map(([, type = "", name = "", status = "", title = ""]) => {
    return { name, type, status, title, example: examples.get(type) };
  });
}

function examplesByType(): Map<unknown, unknown> {
  const answers = Object.values(openApiDocument.components.responses ?? {}) as Answer[];
  const media = answers.flatMap(({ content = {} }) => content["application/problem+json"] ?? []);
  const examples = media.flatMap((each) => examplesOf(each).map(({ value }) => value as { type?: unknown }));
  return new Map(examples.map((value) => [value.type, value]));
}
