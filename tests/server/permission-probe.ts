import { execFileSync } from "node:child_process";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { join } from "node:path";

/** Tries what a server has to be able to do, and what code that got into it would like to; prints what came of it. */
const [project = "", data = "", outside = ""] = process.argv.slice(2);

const attempts: Record<string, () => unknown> = {
  "write in the data folder": () => writeFileSync(join(data, "probe"), ""),
  "read the project": () => readFileSync(join(project, "package.json")),
  "listen on loopback": () => Deno.listen({ hostname: "127.0.0.1", port: 0 }).close(),
  "send a webhook": () => send(httpRequest),
  "send a webhook by TLS": () => send(httpsRequest),
  "ask an embedding model": () =>
    fetch("https://127.0.0.1:2/").catch(({ message, cause }) => requireRefused(`${message} ${cause}`)),
  "read a setting": () => Deno.env.get("LOG_LEVEL") ?? deny(),

  "run a program": () => new Deno.Command("touch", { args: [outside] }).outputSync(),
  "run a program as Node does": () => execFileSync("touch", [outside]),
  "run Deno itself": () => new Deno.Command(Deno.execPath()).outputSync(),
  "end another process": () => Deno.kill(process.ppid, "SIGTERM"),
  "write beside the data folder": () => writeFileSync(outside, ""),
  "write in the project": () => writeFileSync(join(project, ".probe"), ""),
  "write in the home folder": () => writeFileSync(join("/root", ".probe"), ""),
  "write through a symbolic link": () => {
    symlinkSync(outside, join(data, "link"));
    writeFileSync(join(data, "link"), "");
  },
  "read elsewhere": () => readFileSync("/etc/hostname"),
  "read the environment's file": () => readFileSync("/proc/self/environ"),
  "read another variable": () => Deno.env.get("OTHER_SECRET") ?? deny(),
  "read another variable as Node does": () => process.env.OTHER_SECRET ?? deny(),
  "load a library": () => Deno.dlopen("libc.so.6", {}),
  "listen to the network": () => Deno.listen({ hostname: "0.0.0.0", port: 0 }).close(),
  "listen to the network in IPv6": () => Deno.listen({ hostname: "::", port: 0 }).close(),
  "ask for more": () => Deno.permissions.requestSync({ name: "run" }).state === "granted" || deny(),
  "evaluate a string": () => new Function("return 1")(),
};

function deny(): never {
  throw new Error("denied");
}

/** Sends to a port on which nobody listens, so that its operating system's refusal is what there is to get. */
async function send(request: typeof httpsRequest): Promise<void> {
  const error = await new Promise((resolve) => request({ host: "127.0.0.1", port: 2 }).on("error", resolve).end());
  requireRefused(error);
}

function requireRefused(error: unknown): void {
  if (!/refused/i.test(String(error))) throw error;
}

const attempt = async ([name, run]: [string, () => unknown]) => {
  try {
    await run();
    return [name, "done"];
  } catch (error) {
    return [name, error instanceof Deno.errors.NotCapable ? "refused" : String(error)];
  }
};
console.log(JSON.stringify(Object.fromEntries(await Promise.all(Object.entries(attempts).map(attempt)))));
Deno.exit(0);
