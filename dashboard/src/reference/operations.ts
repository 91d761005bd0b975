import {
  type Answer,
  type DescribedOperation,
  type MediaType,
  openApiDocument,
  type Parameter,
  resolve,
} from "./openapi.ts";

/** An operation of the API, or an event that it sends to webhooks. */
export interface Operation {
  /** Last part of its page's address. */
  id: string;
  method: "GET" | "POST" | "PATCH" | "DELETE" | "EVENT";
  /** Path below the base URL; of an event, its name. */
  path: string;
  group: string;
  summary: string;
  description: string | undefined;
  isDeprecated: boolean;
  parameters: readonly Parameter[];
  body: { isRequired: boolean; type: string; media: MediaType } | undefined;
  answers: readonly ({ status: string } & Answer)[];
  /** Token that it needs; undefined where it needs none. */
  security: "apiKey" | "signIn" | undefined;
}

export interface Group {
  name: string;
  description: string;
  operations: readonly Operation[];
}

/** The document's operations and events, by tag, in the document's order. */
export const groups: readonly Group[] = groupOperations();

const operations = new Map(groups.flatMap((group) => group.operations.map((operation) => [operation.id, operation])));

export function findOperation(id: string): Operation | undefined {
  return operations.get(id);
}

function groupOperations(): Group[] {
  const all = [
    ...Object.entries(openApiDocument.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, described]) =>
        read(described, described.operationId, method.toUpperCase() as Operation["method"], path),
      ),
    ),
    ...Object.entries(openApiDocument.webhooks).flatMap(([event, item]) =>
      Object.values(item).map((described) => read(described, event, "EVENT", event)),
    ),
  ];
  return openApiDocument.tags
    .map(({ name, description }) => ({
      name,
      description,
      operations: all.filter(({ group }) => group === name),
    }))
    .filter((group) => group.operations.length > 0);
}

function read(described: DescribedOperation, id: string, method: Operation["method"], path: string): Operation {
  const [body] = Object.entries(described.requestBody?.content ?? {});
  const [scheme = {}] = described.security ?? openApiDocument.security;
  return {
    id,
    method,
    path,
    group: described.tags[0] ?? "",
    summary: described.summary,
    description: described.description,
    isDeprecated: described.deprecated ?? false,
    parameters: (described.parameters ?? []).map((parameter) => resolve<Parameter>(parameter)),
    body: body && { isRequired: described.requestBody?.required ?? false, type: body[0], media: body[1] },
    answers: Object.entries(described.responses).map(([status, answer]) => ({ status, ...resolve<Answer>(answer) })),
    security: Object.keys(scheme)[0] as Operation["security"],
  };
}
