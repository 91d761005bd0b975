/** A small change to a function's text, such as a slip could make. */
export interface Mutation {
  /** Position in the text, and the length of the replaced part. */
  at: number;
  length: number;
  replacement: string;
}

/** Patterns with their replacements. The first group, if there is one, is the part that is replaced. */
const replacements: [pattern: RegExp, replacement: string][] = [
  [/ (<) /g, "<="],
  [/ (<=) /g, "<"],
  [/ (>) /g, ">="],
  [/ (>=) /g, ">"],
  [/\band\b/g, "or"],
  [/\bor\b(?! replace)/g, "and"],
  [/\bis null\b/g, "is not null"],
  [/\bis not null\b/g, "is null"],
  [/\bleast(?=\()/g, "greatest"],
  [/\bgreatest(?=\()/g, "least"],
  [/ \+ 1\b/g, ""],
  [/ - 1\b/g, ""],
  [/\bnot exists\b/g, "exists"],
  [/(?<!not )\bexists\b(?= \()/g, "not exists"],
];

/** A condition on a line of its own, which is left out as a whole. */
const conjunct = /^[ \t]*(and [^\n]+)$/gm;

/** All mutations of a function's text. Comments and the `and` of `between` are left alone. */
export function mutationsOf(text: string): Mutation[] {
  const found: Mutation[] = [];
  const isCode = (at: number) => !text.slice(text.lastIndexOf("\n", at) + 1, at).includes("--");
  const isOfBetween = (at: number) => {
    const between = text.slice(0, at).lastIndexOf("between");
    return between !== -1 && at - between < 120 && !/\band\b/.test(text.slice(between, at));
  };
  for (const [pattern, replacement] of replacements) {
    for (const match of text.matchAll(pattern)) {
      const target = match[1] ?? match[0];
      const at = match.index + match[0].indexOf(target);
      if (isCode(at) && !(target === "and" && isOfBetween(at))) found.push({ at, length: target.length, replacement });
    }
  }
  for (const match of text.matchAll(conjunct)) {
    const target = match[1] ?? "";
    const at = match.index + match[0].indexOf(target);
    const isWhole = target.split("(").length === target.split(")").length && !/[;,]|then$/.test(target);
    if (isWhole && !isOfBetween(at)) found.push({ at, length: target.length, replacement: "" });
  }
  return found;
}

/** Applies a mutation to a text. */
export function mutate(text: string, { at, length, replacement }: Mutation): string {
  return text.slice(0, at) + replacement + text.slice(at + length);
}

/** Line of a text at a position, with what a mutation does to it. */
export function describeMutation(text: string, mutation: Mutation): string {
  const start = text.lastIndexOf("\n", mutation.at - 1) + 1;
  const end = text.indexOf("\n", mutation.at + mutation.length);
  const line = text.slice(start, end === -1 ? undefined : end).trim();
  const target = text.slice(mutation.at, mutation.at + mutation.length).trim();
  return `"${target}" to "${mutation.replacement}" in: ${line.length > 160 ? `${line.slice(0, 160)}...` : line}`;
}
