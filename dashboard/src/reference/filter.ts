import { groups, type Operation } from "./operations.ts";
import { fieldsOf, plain } from "./schema.ts";

/** Operations of a group that were found, and those of their parameters and body fields that have a word in their names. */
export interface FoundGroup {
  name: string;
  operations: { operation: Operation; fields: string[] }[];
}

/** Limit of fields shown of an operation. */
const maximumFields = 4;

/** Operations whose texts, path, parameters and body fields have all words. Without words, all. */
export function filterGroups(text: string): FoundGroup[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return groups
    .map(({ name, operations }) => ({
      name,
      operations: operations
        .filter((operation) => words.every((word) => textOf(operation).includes(word)))
        .map((operation) => ({ operation, fields: fieldsWith(operation, words) })),
    }))
    .filter(({ operations }) => operations.length > 0);
}

const texts = new Map<Operation, string>();

function textOf(operation: Operation): string {
  const known = texts.get(operation);
  if (known !== undefined) return known;
  const { id, method, path, group, summary, description = "", parameters } = operation;
  const words = parameters.flatMap((parameter) => [parameter.name, parameter.description ?? ""]);
  const text = [id, method, path, group, summary, description, ...words, ...bodyFields(operation)]
    .join("\n")
    .toLowerCase();
  texts.set(operation, text);
  return text;
}

/** Anchors of the fields with a word in their names. */
function fieldsWith(operation: Operation, words: readonly string[]): string[] {
  if (words.length === 0) return [];
  const all = [...operation.parameters.map(({ name }) => name), ...bodyFields(operation).map((name) => `body.${name}`)];
  return all.filter((name) => words.some((word) => name.toLowerCase().includes(word))).slice(0, maximumFields);
}

function bodyFields({ body }: Operation): string[] {
  return body === undefined ? [] : Object.keys(fieldsOf(plain(body.media.schema))?.properties ?? {});
}
