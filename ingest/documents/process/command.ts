import { fileURLToPath } from "node:url";
import { denoBinary } from "../../../local/deno-command.mjs";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const child = fileURLToPath(new URL("child.ts", import.meta.url));

/** Megabytes that a Deno process takes beside V8's heap: its code, buffers and threads. */
const outsideHeapMb = 128;

/**
 * Seconds of processor time after which the system ends the process: three times as long as it may take. Whoever started it ends it before, unless it
 * was itself killed. A process that is busy cannot notice that.
 */
const processorSeconds = 60;
const hasShell = process.platform !== "win32";

/** Command line that reads a document in a process of its own, and its environment. */
export interface ReadingCommand {
  program: string;
  args: string[];
  env: Record<string, string>;
}

/**
 * The command of the reading process. Its permission is to read the code of the readers: no network, no files, no environment, no
 * programs, no code made from strings.
 *
 * @param memoryBytes limit of the whole process; V8's heap gets less.
 * @param needsProto whether `__proto__` is needed, which Deno lacks by default: mammoth inherits by it.
 */
export function readingCommand(memoryBytes: number, needsProto: boolean): ReadingCommand | undefined {
  const binary = "Deno" in globalThis ? process.execPath : denoBinary();
  if (binary === undefined) return undefined;
  const heapMb = Math.max(64, Math.floor(memoryBytes / 1024 / 1024) - outsideHeapMb);
  const readable = ["node_modules", "ingest", "package.json"].map((path) => (root + path).replaceAll(",", ",,"));
  return {
    program: hasShell ? "/bin/sh" : binary,
    args: [
      ...(hasShell ? ["-c", `ulimit -t ${processorSeconds}; exec "$0" "$@"`, binary] : []),
      ...["run", "--quiet", "--no-lock", "--no-remote", "--no-prompt", "--cached-only"],
      `--allow-read=${readable.join(",")}`,
      ...["--deny-write", "--deny-net", "--deny-run", "--deny-ffi", "--deny-sys", "--deny-import", "--ignore-env"],
      `--v8-flags=--max-old-space-size=${heapMb},--disallow-code-generation-from-strings`,
      ...(needsProto ? ["--unsafe-proto"] : []),
      child,
    ],
    // Deno itself needs these, for the cache of compiled code.
    env: Object.fromEntries(
      ["HOME", "DENO_DIR", "XDG_CACHE_HOME", "LOCALAPPDATA", "TMPDIR"].flatMap((name) => {
        const value = process.env[name];
        return value ? [[name, value]] : [];
      }),
    ),
  };
}
