import type { Option } from "./options.ts";

export const help = `Usage: funding COMMAND ...

US grants, government contracts and funders, from the command line.

Commands:
  grants, contracts, funders   lists: funding grants "summer meals" --states MS,AL
  search                       grants and contracts by meaning
  show                         one record with all that is known of it
  suggest                      what completes a search or a filter
  mirror                       copies the catalogue to a folder, and keeps the copy up to date
  listen                       sends events, as webhooks do, to a program on this machine
  login, logout                saves the key of an account, and forgets it

funding COMMAND --help lists the options of a command.

The address of the API and the key are FUNDING_BASE_URL and FUNDING_API_KEY, or those of funding login.
Exit status: 0, 1 where the API refused or could not be reached, 2 where the command was called wrongly.
`;

/** Options of the lists beside the API's parameters. */
export const listOptions: readonly Option[] = [
  { name: "json", isFlag: true, text: "Print the API's answer, or with --all a record a line" },
  { name: "csv", isFlag: true, text: "Print CSV: without --limit, all that match" },
  { name: "count", isFlag: true, text: "Print how many match" },
  { name: "all", isFlag: true, text: "Print all that match, page after page" },
];

/** The help of a command. */
export function helpOf(
  usage: string,
  text: string,
  groups: readonly { title: string; options: readonly Option[] }[],
): string {
  const shown = groups.filter(({ options }) => options.length > 0);
  const lines = shown.flatMap(({ title, options }) => ["", `${title}:`, ...options.flatMap(linesOf)]);
  return [`Usage: funding ${usage}`, "", text, ...lines, ""].join("\n");
}

function linesOf({ name, isFlag, text, choices }: Option): string[] {
  const option = `  --${name}${isFlag ? "" : " VALUE"}`;
  const described = choices === undefined ? text : `${text}. One of ${choices.join(", ")}`;
  const lines = wrap(described, 66);
  const [first = "", ...rest] = lines;
  const indent = " ".repeat(32);
  return option.length < 31
    ? [`${option.padEnd(32)}${first}`, ...rest.map((line) => indent + line)]
    : [option, ...lines.map((line) => indent + line)];
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length + 1 > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
