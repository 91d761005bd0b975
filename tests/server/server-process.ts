import { type ChildProcess, spawn } from "node:child_process";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The values that `npm start` prints when it is ready. */
export interface Ready {
  base_url: string;
  database_url: string;
  api_key: string;
  limited_api_key: string;
  free_api_key: string;
  sign_in_link: string;
}

/** A server that a test started. */
export interface ServerProcess {
  process: ChildProcess;
  ready: Ready;
  stdout: string;
  /** Its output so far. */
  output: { stdout: string; stderr: string };
  /** Sends a signal and waits for the end. @returns the exit status, or null when the signal ended it. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** A port that was free a moment ago, with a free one next to it. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Runs `npm start`, or one of its parts, to its end or until it is ready. */
export function run(
  environment: Record<string, string>,
  command: string[] = ["npm", "start", "--silent"],
): { process: ChildProcess; output: { stdout: string; stderr: string }; exit: Promise<number | null> } {
  const [program = "", ...words] = command;
  const child = spawn(program, words, { cwd: root, env: { ...process.env, ...environment }, stdio: "pipe" });
  const output = { stdout: "", stderr: "" };
  child.stdout.on("data", (data) => {
    output.stdout += data;
  });
  child.stderr.on("data", (data) => {
    output.stderr += data;
  });
  const exit = new Promise<number | null>((resolve) => child.on("close", resolve));
  return { process: child, output, exit };
}

/** Starts a server and waits until it is ready. */
export async function startServer(environment: Record<string, string>, command?: string[]): Promise<ServerProcess> {
  const { process: child, output, exit } = run(environment, command);
  const isReady = () => /^curl /m.test(output.stdout);
  let hasEnded = false;
  void exit.then(() => {
    hasEnded = true;
  });
  while (!isReady()) {
    if (hasEnded) throw new Error(`the server ended before it was ready:\n${output.stderr}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const ready = readyValues(output.stdout);
  return {
    process: child,
    ready,
    stdout: output.stdout,
    output,
    end(signal) {
      child.kill(signal);
      return exit;
    },
  };
}

/** The values that a server has printed so far. */
export function readyValues(stdout: string): Ready {
  return Object.fromEntries(
    stdout.split("\n").flatMap((line) => {
      const [, name, value] = /^(\w+)=(.+)$/.exec(line) ?? [];
      return name === undefined || value === undefined ? [] : [[name, value]];
    }),
  ) as unknown as Ready;
}
