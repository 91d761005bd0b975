#!/usr/bin/env node
import { once } from "node:events";
import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import type { Io } from "./io.ts";
import { run } from "./run.ts";

// A reader such as `head` that has enough ends the command.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
});

/** Lines of standard input, where nobody types them. */
let lines: AsyncIterator<string> | undefined;

async function ask(question: string, isSecret: boolean): Promise<string | undefined> {
  if (!process.stdin.isTTY) {
    lines ??= createInterface({ input: process.stdin })[Symbol.asyncIterator]();
    const { value, done } = await lines.next();
    return done === true ? undefined : value;
  }
  process.stderr.write(question);
  const output = isSecret ? new Writable({ write: (_chunk, _encoding, done) => done() }) : process.stderr;
  const typed = createInterface({ input: process.stdin, output, terminal: true });
  typed.on("SIGINT", () => process.exit(130));
  const [line] = (await once(typed, "line")) as [string];
  typed.close();
  if (isSecret) process.stderr.write("\n");
  return line;
}

const io: Io = {
  env: process.env,
  async write(text) {
    if (!process.stdout.write(text)) await once(process.stdout, "drain");
  },
  say: (line) => void process.stderr.write(`${line}\n`),
  ask,
  pause: (ms) => setTimeout(ms, true),
  width: process.stdout.columns ?? 100,
  fetch,
};

process.exitCode = await run(process.argv.slice(2), io);
