import { execFile } from "node:child_process";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { senders } from "./senders.ts";

const texts = ["first", "second", "third", "refused", "last"];

let server: Server;
let url: URL;
/** Bodies of the requests that came, those that got no answer among them. */
let received: string[];
beforeEach(async () => {
  received = [];
  server = createServer(answerOnce);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
});
afterEach(() => server.close());

/** Answers the first request of a connection and promises to keep it. Reads each later one, and one with "refused", and drops the connection. */
function answerOnce(socket: Socket): void {
  let unread = "";
  let answered = 0;
  socket.on("error", () => undefined);
  socket.on("data", (part) => {
    unread += part.toString();
    const [head = "", body] = unread.split("\r\n\r\n");
    if (body === undefined || body.length < Number(/content-length: (\d+)/i.exec(head)?.[1])) return;
    received.push(body);
    unread = "";
    if (answered++ === 0 && !body.includes("refused")) socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
    else socket.resetAndDestroy();
  });
}

const runtimes: Record<string, (name: string) => Promise<string[]>> = {
  async Node(name) {
    const outcomes: string[] = [];
    for (const text of texts) outcomes.push((await senders[name]?.(url, text)) ?? "");
    return outcomes;
  },
  async Deno(name) {
    const [deno, program] = ["../../../node_modules/deno/bin.cjs", "./senders.ts"].map((path) =>
      fileURLToPath(new URL(path, import.meta.url)),
    ) as [string, string];
    const options = ["run", "--quiet", "--no-lock", "--no-remote", "--allow-all"];
    const { stdout } = await promisify(execFile)(process.execPath, [
      deno,
      ...options,
      program,
      name,
      url.href,
      ...texts,
    ]);
    return stdout.trim().split("\n");
  },
};

// A dropped connection that had been used before made our own code and Deno's `fetch` send the request again. The log had one attempt.
describe.each(Object.entries(runtimes))("under %s", (_runtime, send) => {
  test.each(Object.keys(senders))(
    "%s is one request for each attempt, whatever becomes of its connection",
    async (name) => {
      const outcomes = await send(name);
      const counts = texts.map((text) => received.filter((body) => body.includes(text)).length);
      expect(counts, String(outcomes)).toEqual(texts.map(() => 1));
      expect(outcomes).toHaveLength(texts.length);
      expect(outcomes[texts.indexOf("refused")]).toMatch(/^(connection|unknown)$/);
    },
  );
});
