/** What the command line uses of its process. Tests give their own. */
export interface Io {
  env: Readonly<Record<string, string | undefined>>;
  /** Writes to standard output; waits where its reader is slow. */
  write(text: string): Promise<void>;
  /** Writes a line to standard error. */
  say(line: string): void;
  /** Asks for a line, which is not shown where it is secret. Undefined where nobody can be asked. */
  ask(question: string, isSecret: boolean): Promise<string | undefined>;
  /** Waits. @returns whether the command goes on. */
  pause(ms: number): Promise<boolean>;
  /** Columns of the terminal; 100 where there is none. */
  width: number;
  fetch: typeof fetch;
}

/** A command was called wrongly, or cannot go on. The message says what to do. */
export class CommandError extends Error {
  constructor(
    message: string,
    /** 2 where it was called wrongly. */
    readonly status: 1 | 2 = 2,
  ) {
    super(message);
  }
}
