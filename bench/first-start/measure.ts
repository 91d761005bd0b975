import { join } from "node:path";
import { withProcess } from "../speed/http/process.ts";

/** Seconds since `npm start`, but for the waits. */
export interface FirstStart {
  [figure: string]: number;
  "first list": number;
  "first keyword search": number;
  "search by meaning": number;
  "the dashboard": number;
  /** The longest that a list took between the first and the first search by meaning. */
  "longest wait": number;
  /** Number of lists that were refused meanwhile (503), having waited for 5 s. */
  refused: number;
}

const pauseMs = 20;

/** Runs `npm start` on an empty folder until it has answered everything, and ends it. */
export async function measureFirstStart(root: string, folder: string, port: number): Promise<FirstStart> {
  const origin = `http://127.0.0.1:${port}`;
  const env = {
    PORT: String(port),
    DATA_DIR: join(folder, "data"),
    // As in a new checkout, Deno has read none of the files.
    DENO_DIR: join(folder, "deno"),
  };
  const started = performance.now();
  const seconds = () => (performance.now() - started) / 1000;
  return withProcess(
    "npm",
    { args: ["start", "--silent"], cwd: root, env, stdout: "piped", stderr: "null" },
    async (npm) => {
      const output = collect(npm.stdout);
      const ended = npm.status.then(() => Promise.reject(new Error("npm start ended: npm start says why")));
      const key = await Promise.race([until(() => /^api_key=(.+)$/m.exec(output.text)?.[1]), ended]);
      ended.catch(() => undefined);
      const ask = async (path: string) => {
        const response = await fetch(origin + path, { headers: { authorization: `Bearer ${key}` } });
        const text = await response.text();
        return response.ok ? text : undefined;
      };
      const asTheyCome = (path: string) => until(() => ask(path)).then(seconds);
      const list = "/functions/v1/grants-api?limit=20";
      const firstList = await asTheyCome(list);
      const firstKeywordSearch = await asTheyCome(`${list}&search=water`);
      let isOver = false;
      let longestWait = 0;
      let refused = 0;
      const lists = (async () => {
        for (let offset = 0; !isOver; offset++) {
          const asked = performance.now();
          // Another one each time, so that no cache answers.
          if ((await ask(`${list}&offset=${offset}`)) === undefined) refused += 1;
          longestWait = Math.max(longestWait, (performance.now() - asked) / 1000);
          await pause();
        }
      })();
      const [meaning, dashboard] = await Promise.all([
        asTheyCome(`${list}&search=water&search_mode=semantic`).finally(() => {
          isOver = true;
        }),
        asTheyCome("/"),
        lists,
      ]);
      return {
        "first list": firstList,
        "first keyword search": firstKeywordSearch,
        "search by meaning": meaning,
        "the dashboard": dashboard,
        "longest wait": longestWait,
        refused,
      };
    },
  );
}

/** Waits for a value, which is looked for again and again. */
async function until<Value>(look: () => Promise<Value | undefined> | Value | undefined): Promise<Value> {
  for (;;) {
    const value = await look();
    if (value !== undefined) return value;
    await pause();
  }
}

const pause = () => new Promise((resolve) => setTimeout(resolve, pauseMs));

function collect(stream: ReadableStream<Uint8Array>): { readonly text: string } {
  const collected = { text: "" };
  const decoder = new TextDecoder();
  void (async () => {
    for await (const part of stream) collected.text += decoder.decode(part, { stream: true });
  })();
  return collected;
}
