import { createInterface } from "node:readline";

/** Asks a question that is answered with y or n. An input that ends, or a Ctrl-C, is a no. */
export function confirm(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  return new Promise((resolve) => {
    lines.question(`${question} [y/N] `, (answer) => {
      resolve(/^y(es)?$/i.test(answer.trim()));
      lines.close();
    });
    lines.once("SIGINT", () => lines.close());
    lines.once("close", () => resolve(false));
  });
}
