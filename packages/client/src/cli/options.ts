import { parseArgs } from "node:util";
import { CommandError } from "./io.ts";
import type { ListParameter } from "./parameters.generated.ts";

/** An option of a command. */
export type Option = ListParameter;

/** The words of a command: its arguments, and its options by their names. */
export interface Words {
  positionals: string[];
  /** As they were given, in order; of a flag, `true` or `false`. */
  values: Map<string, string[]>;
}

/** Reads the words of a command. @throws CommandError that names a wrong option, and the nearest. */
export function readWords(words: readonly string[], options: readonly Option[], command: string): Words {
  const flags = options.filter(({ isFlag }) => isFlag);
  const config = Object.fromEntries(
    options.flatMap(({ name, isFlag }): [string, { type: "string" | "boolean"; multiple: boolean }][] =>
      isFlag
        ? [
            [name, { type: "boolean", multiple: true }],
            [`no-${name}`, { type: "boolean", multiple: true }],
          ]
        : [[name, { type: "string", multiple: true }]],
    ),
  );
  const { tokens } = parseArgs({
    args: [...words],
    options: config,
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const values = new Map<string, string[]>();
  const positionals: string[] = [];
  const add = (name: string, value: string) => values.set(name, [...(values.get(name) ?? []), value]);
  for (const token of tokens) {
    if (token.kind === "positional") positionals.push(token.value);
    if (token.kind !== "option") continue;
    const option = options.find(({ name }) => name === token.name);
    const negated = flags.find(({ name }) => `no-${name}` === token.name);
    if (negated !== undefined && token.value === undefined) add(negated.name, "false");
    else if (option?.isFlag && token.value === undefined) add(option.name, "true");
    else if (option !== undefined && !option.isFlag) {
      if (token.value === undefined || token.value === "") throw new CommandError(`--${option.name} needs a value.`);
      add(option.name, token.value);
    } else if (option !== undefined || negated !== undefined) {
      throw new CommandError(`${token.rawName} takes no value; --no-${(option ?? negated)?.name} says no.`);
    } else throw unknownOption(token.rawName, options, command);
  }
  return { positionals, values };
}

function unknownOption(rawName: string, options: readonly Option[], command: string): CommandError {
  const near = nearest(
    rawName.replace(/^-+/, ""),
    options.map(({ name }) => name),
  );
  const meant = near === undefined ? "" : ` Did you mean --${near}?`;
  return new CommandError(`${rawName} is no option of ${command}.${meant} funding ${command} --help lists them.`);
}

/** The name at the smallest edit distance, up to a third of its length; or the one that begins so. */
export function nearest(given: string, names: readonly string[]): string | undefined {
  const beginning = names.find((name) => given.length > 2 && name.startsWith(given));
  if (beginning !== undefined) return beginning;
  const [best] = names
    .map((name) => ({ name, distance: distanceOf(given, name) }))
    .filter(({ name, distance }) => distance <= Math.max(1, Math.floor(name.length / 3)))
    .sort((one, other) => one.distance - other.distance);
  return best?.name;
}

function distanceOf(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1];
    for (const [column, wanted] of [...other].entries()) {
      next.push(
        Math.min((row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1, (row[column] ?? 0) + (letter === wanted ? 0 : 1)),
      );
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
