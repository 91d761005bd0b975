import { type ParseArgsConfig, parseArgs as parseNodeArgs } from "node:util";
import { UsageError } from "./command.ts";

/**
 * Node's parseArgs, with negative numbers as values (`--quota -1`), which Node takes for options, and without empty
 * values: they are variables that were not set (`--database-url "$URL"`), and the default would be a surprise.
 *
 * @throws {UsageError} when an option's value is empty.
 */
export function parseArgs<Config extends ParseArgsConfig>(config: Config): ReturnType<typeof parseNodeArgs<Config>> {
  const words: string[] = [];
  const given = [...(config.args ?? [])];
  for (let word = given.shift(); word !== undefined; word = given.shift()) {
    const name = takesValue(config, word) ? word : undefined;
    const [next] = given;
    if ((name !== undefined && next === "") || (word.endsWith("=") && takesValue(config, word.slice(0, -1)))) {
      throw new UsageError(`${word.replace(/=$/, "")} has an empty value.`);
    }
    if (name !== undefined && next !== undefined && /^-[\d.]/.test(next)) words.push(`${name}=${given.shift()}`);
    else words.push(word);
    if (word === "--") words.push(...given.splice(0));
  }
  return parseNodeArgs({ ...config, args: words } as Config);
}

function takesValue({ options }: ParseArgsConfig, word: string): boolean {
  const name = word.startsWith("--") ? word.slice(2) : "";
  return options !== undefined && Object.hasOwn(options, name) && options[name]?.type === "string";
}
