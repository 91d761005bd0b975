import json from "../../../functions/openapi/openapi.json";

/** The parts of OpenAPI 3.1 that our document uses. */
export interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  format?: string;
  description?: string;
  deprecated?: boolean;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  additionalProperties?: boolean | Schema;
  propertyNames?: Schema;
  items?: Schema;
  enum?: readonly unknown[];
  const?: unknown;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  allOf?: readonly Schema[];
  default?: unknown;
  examples?: readonly unknown[];
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
}

export interface Parameter {
  name: string;
  in: "query" | "path" | "header";
  description?: string;
  required?: boolean;
  deprecated?: boolean;
  schema: Schema;
}

export interface MediaType {
  schema: Schema;
  examples?: Readonly<Record<string, { value: unknown }>>;
}

export interface Header {
  description?: string;
  schema: Schema;
}

export interface Answer {
  description: string;
  headers?: Readonly<Record<string, Header | Reference>>;
  content?: Readonly<Record<string, MediaType>>;
}

export interface DescribedOperation {
  operationId: string;
  tags: readonly string[];
  summary: string;
  description?: string;
  deprecated?: boolean;
  parameters?: readonly (Parameter | Reference)[];
  requestBody?: { required?: boolean; content: Readonly<Record<string, MediaType>> };
  responses: Readonly<Record<string, Answer | Reference>>;
  security?: readonly Readonly<Record<string, unknown>>[];
}

type Reference = { $ref: string };
type PathItem = Readonly<Record<string, DescribedOperation>>;

export interface OpenApiDocument {
  info: { title: string; version: string; summary: string; description: string };
  security: readonly Readonly<Record<string, unknown>>[];
  tags: readonly { name: string; description: string }[];
  paths: Readonly<Record<string, PathItem>>;
  webhooks: Readonly<Record<string, PathItem>>;
  components: Readonly<Record<string, Readonly<Record<string, unknown>>>> & {
    securitySchemes: Readonly<Record<string, { name?: string; description: string; bearerFormat?: string }>>;
  };
}

/** The document that the API serves at `/openapi`, as of the build. */
export const openApiDocument = json as unknown as OpenApiDocument;

/** Follows a reference within the document (`#/components/parameters/Id`). */
export function resolve<Value extends object>(value: Value | Reference): Value {
  if (!("$ref" in value) || typeof value.$ref !== "string") return value as Value;
  const [, , kind = "", name = ""] = value.$ref.split("/");
  return openApiDocument.components[kind]?.[name] as Value;
}
