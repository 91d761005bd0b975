import { listInQuery } from "../../shared/validation/query.ts";

/** Part of an OpenAPI operation that a tool's input is made from. */
interface Operation {
  parameters: readonly {
    $ref?: string;
    name?: string;
    description?: string;
    required?: boolean;
    deprecated?: boolean;
    schema?: object;
  }[];
}

/** A JSON Schema of an object. */
export interface InputSchema {
  type: "object";
  properties: Record<string, object>;
  required?: string[];
  additionalProperties: false;
}

/** Makes one object schema of an operation's query parameters, without deprecated and omitted ones. */
export function inputSchemaOf({ parameters }: Operation, omitted: readonly string[]): InputSchema {
  const offered = parameters.flatMap(({ name, deprecated = false, description, required = false, schema }) =>
    name === undefined || deprecated || omitted.includes(name)
      ? []
      : [{ name, required, schema: { ...schema, description: ofArgument(description) } }],
  );
  return {
    type: "object",
    properties: Object.fromEntries(offered.map(({ name, schema }) => [name, schema])),
    required: offered.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  };
}

/** A parameter's description, without what it says of query strings and of CSV: a tool takes lists, and answers JSON alone. */
function ofArgument(description = ""): string {
  const withoutQuery = Object.values(listInQuery).reduce((text, said) => text.replace(said, ""), description);
  const sentences = withoutQuery.split(/(?<=\.) /);
  return sentences
    .filter((sentence) => !sentence.includes("CSV"))
    .join(" ")
    .trim();
}
