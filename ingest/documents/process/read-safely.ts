import { spawn } from "node:child_process";
import { maxFileBytes, type Unreadable } from "../document-text.ts";
import { detectMediaType, docx } from "../media-type.ts";
import type { DocumentContent } from "../read-content.ts";
import { readingCommand } from "./command.ts";
import { watchMemory } from "./memory.ts";

/** Limits of the process that reads a document. */
export interface ReadingLimits {
  /** Default: 20,000. */
  timeMs?: number;
  /** Default: 512 MB. */
  memoryBytes?: number;
}

const defaultTimeMs = 20_000;
const defaultMemoryBytes = 512 * 1024 * 1024;
/** Most bytes of the process's answer: its text has at most 10 million characters. */
const maxAnswerBytes = 64 * 1024 * 1024;

/**
 * Reads a document that may be hostile, in a Deno process of its own without permissions, which is killed beyond its time or
 * memory. Never throws: what cannot be read is an {@link Unreadable} with a sentence that says why.
 */
export async function readDocumentSafely(
  bytes: Uint8Array,
  limits: ReadingLimits = {},
): Promise<DocumentContent | Unreadable> {
  if (bytes.length > maxFileBytes) return unreadable("too_large", "The file has more than 25 MB.");
  const { timeMs = defaultTimeMs, memoryBytes = defaultMemoryBytes } = limits;
  const command = readingCommand(memoryBytes, detectMediaType(bytes) === docx);
  if (command === undefined) return failed();
  const ended = await runReader(command, bytes, timeMs, memoryBytes);
  switch (ended.kind) {
    case "out_of_time":
      return unreadable("out_of_time", `Reading the file took more than ${timeMs / 1000} s.`);
    case "out_of_memory":
      return unreadable(
        "out_of_memory",
        `Reading the file needs more than ${Math.round(memoryBytes / 1024 / 1024)} MB of memory.`,
      );
    case "failed":
      return failed();
    case "answered":
      return parseAnswer(ended.answer);
  }
}

type Ended = { kind: "answered"; answer: string } | { kind: "out_of_time" | "out_of_memory" | "failed" };

function runReader(
  { program, args, env }: NonNullable<ReturnType<typeof readingCommand>>,
  bytes: Uint8Array,
  timeMs: number,
  memoryBytes: number,
): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { env, stdio: ["pipe", "pipe", "pipe"] });
    let killedFor: "out_of_time" | "out_of_memory" | "failed" | undefined;
    const kill = (reason: NonNullable<typeof killedFor>) => {
      killedFor ??= reason;
      child.kill("SIGKILL");
    };
    const timer = setTimeout(kill, timeMs, "out_of_time");
    const endWatch =
      child.pid === undefined ? () => undefined : watchMemory(child.pid, memoryBytes, () => kill("out_of_memory"));
    const answer: Uint8Array[] = [];
    let answerBytes = 0;
    let complaint = "";
    child.stdout.on("data", (piece: Uint8Array) => {
      answerBytes += piece.length;
      if (answerBytes > maxAnswerBytes) kill("failed");
      else answer.push(piece);
    });
    child.stderr.on("data", (piece: Uint8Array) => {
      complaint = (complaint + String(piece)).slice(-4_096);
    });
    // A process that ends early does not read its input.
    child.stdin.on("error", () => undefined);
    child.stdin.end(bytes);
    const end = (ended: Ended) => {
      clearTimeout(timer);
      endWatch();
      resolve(ended);
    };
    child.on("error", () => end({ kind: "failed" }));
    child.on("close", (status) => {
      if (killedFor !== undefined) end({ kind: killedFor });
      else if (status === 0) end({ kind: "answered", answer: Buffer.concat(answer).toString("utf8") });
      else end({ kind: /out of memory|heap limit/i.test(complaint) ? "out_of_memory" : "failed" });
    });
  });
}

function parseAnswer(answer: string): DocumentContent | Unreadable {
  try {
    return JSON.parse(answer) as DocumentContent | Unreadable;
  } catch {
    return failed();
  }
}

function failed(): Unreadable {
  return unreadable("failed", "The file could not be read.");
}

function unreadable(reason: Unreadable["reason"], message: string): Unreadable {
  return { kind: "unreadable", reason, message };
}
