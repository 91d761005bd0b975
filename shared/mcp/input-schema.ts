/** The part of the OpenAPI document that a tool's input is made of. */
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

/** An operation's query parameters as one object, without those that are deprecated or withheld. */
export function inputOf({ parameters }: Operation, withheld: readonly string[]): InputSchema {
  const taken = parameters.flatMap(({ name, deprecated = false, description, required = false, schema }) =>
    name === undefined || deprecated || withheld.includes(name)
      ? []
      : [{ name, required, schema: { ...schema, description } }],
  );
  return {
    type: "object",
    properties: Object.fromEntries(taken.map(({ name, schema }) => [name, schema])),
    required: taken.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  };
}
