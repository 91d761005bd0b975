import { printable } from "../shared/log/printable.ts";

/**
 * Terminal output of this project's programs; nothing else writes to the terminal. A string is one line, a list is several,
 * an empty list prints nothing. Control characters and line breaks inside a line are escaped: names, files and answers come
 * from others, and could otherwise steer the terminal or fake a line.
 */
export type Lines = string | readonly string[];

/** Prints lines on standard output. */
export function print(lines: Lines): void {
  if (lines.length > 0 || lines === "") console.log(joined(lines));
}

/** Prints lines on standard error. */
export function printError(lines: Lines): void {
  if (lines.length > 0 || lines === "") console.error(joined(lines));
}

/** Status line on standard error: overwritten in place on a terminal, one line after the other elsewhere. */
export class StatusLine {
  #isOpen = false;

  /** Whether standard error is a terminal, on which the line is overwritten in place. */
  get isTerminal(): boolean {
    return process.stderr.isTTY;
  }

  show(line: string): void {
    this.#isOpen = this.isTerminal;
    process.stderr.write(this.#isOpen ? `\r${printable(line)}\x1b[K` : `${printable(line)}\n`);
  }

  /** Clears the line and leaves the cursor at its start. */
  end(): void {
    if (this.#isOpen) process.stderr.write("\r\x1b[K");
    this.#isOpen = false;
  }
}

/** Lines for an unexpected error: its message on one line, then its stack. */
export function errorLines(error: unknown): string[] {
  if (!(error instanceof Error)) return [String(error)];
  const { message, stack = message } = error;
  const end = stack.indexOf(message) + message.length;
  return [stack.slice(0, end), ...stack.slice(end).split("\n").slice(1)];
}

function joined(lines: Lines): string {
  return (typeof lines === "string" ? [lines] : lines).map(printable).join("\n");
}
