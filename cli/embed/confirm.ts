import { createInterface } from "node:readline";
import { printError } from "../../local/print.ts";
import { printable } from "../../shared/log/printable.ts";

/** Asks on the terminal whether to go on. Without a terminal, or on a no, prints that nothing was done. */
export async function confirmGoingOn(): Promise<boolean> {
  if (process.stdin.isTTY && (await askYesOrNo("Go on?"))) return true;
  printError(process.stdin.isTTY ? "Nothing was done." : "Nothing was done: --yes goes on without asking.");
  return false;
}

/** Asks a question that is answered with y or n. An input that ends, or a Ctrl-C, is a no. */
function askYesOrNo(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  return new Promise((resolve) => {
    lines.question(`${printable(question)} [y/N] `, (answer) => {
      resolve(/^y(es)?$/i.test(answer.trim()));
      lines.close();
    });
    lines.once("SIGINT", () => lines.close());
    lines.once("close", () => resolve(false));
  });
}
