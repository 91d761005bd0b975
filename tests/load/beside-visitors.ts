import { fileURLToPath } from "node:url";
import { listRequests } from "../../bench/speed/list-requests.ts";
import { percentile } from "../../bench/statistics.ts";
import type { Connection } from "../../database/connection.ts";
import { createCallers } from "./callers.ts";
import { closedLoop } from "./drive.ts";
import type { Stack } from "./stacks.ts";

/** Turns of each side. The first is for warming up. */
const turns = 6;
const program = fileURLToPath(new URL("visitors.mjs", import.meta.url));

/** Times lists and hybrid searches of a key, one after the other, alone and beside 64 visitors of the catalogue, in turns. */
export async function compareWithVisitors(stack: Stack, connection: Connection, seconds: number): Promise<void> {
  const { developers } = await createCallers(connection);
  const headers = { authorization: `Bearer ${developers[0].key}` };
  let index = 0;
  const url = () => {
    const number = index++;
    const list = listRequests[number % listRequests.length];
    return number % 2 === 0
      ? `${stack.baseUrl}/grants-api${list?.api}`
      : `${stack.baseUrl}/grants-api?search=clean+water+${number}&search_mode=hybrid`;
  };
  const statuses: Record<string, number> = {};
  const sides = { alone: [] as number[][], beside: [] as number[][] };
  for (let turn = 0; turn < turns; turn++) {
    for (const side of ["alone", "beside"] as const) {
      const visitors = side === "beside" ? startVisitors(new URL(stack.baseUrl).origin, seconds + 1) : undefined;
      // Until they have begun.
      if (visitors !== undefined) await new Promise((resolve) => setTimeout(resolve, 500));
      const taken: number[] = [];
      await closedLoop(
        async () => {
          const start = performance.now();
          const response = await fetch(url(), { headers });
          await response.text();
          if (response.status !== 200) throw new Error(`a key's request was answered ${response.status}`);
          taken.push(performance.now() - start);
        },
        1,
        seconds,
      );
      if (turn > 0) sides[side].push(taken);
      for (const [status, count] of Object.entries((await visitors) ?? {})) {
        statuses[status] = (statuses[status] ?? 0) + count;
      }
    }
  }
  console.log("| a key's lists and hybrid searches | requests | p50 ms | p95 |");
  console.log("|---|---|---|---|");
  const figures = Object.entries(sides).map(([side, rounds]) => {
    const median = (share: number) =>
      percentile(
        rounds.map((taken) => percentile(taken, share)),
        0.5,
      );
    const [p50, p95] = [median(0.5), median(0.95)];
    console.log(`| ${side} | ${rounds.flat().length} | ${p50.toFixed(1)} | ${p95.toFixed(1)} |`);
    return { p50, p95 };
  });
  const [alone, beside] = figures;
  if (alone === undefined || beside === undefined) return;
  const ratios = [beside.p50 / alone.p50, beside.p95 / alone.p95].map((ratio) => ratio.toFixed(2));
  console.log(
    `beside 64 visitors: p50 ${ratios[0]} times, p95 ${ratios[1]} times; their answers: ${JSON.stringify(statuses)}`,
  );
}

async function startVisitors(origin: string, seconds: number): Promise<Record<string, number>> {
  const output = await new Deno.Command("node", {
    args: [program, origin, String(seconds)],
    stderr: "inherit",
  }).output();
  return JSON.parse(new TextDecoder().decode(output.stdout)) as Record<string, number>;
}
