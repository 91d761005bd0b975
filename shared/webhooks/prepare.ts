import type { RpcClient } from "../database/rpc.ts";
import { callOrThrow } from "./call.ts";

/** Events that one call makes deliveries of. */
const batchSize = 500;
/** Events that one call forgets. */
const pruneSize = 1_000;
/** How often each kind of work is looked for when the last look found none, in milliseconds. */
const everyMs = { events: 200, deadlines: 1_000, recoveries: 1_000, prune: 60_000 };

/** Makes deliveries of what has happened: one batch a call. Gives how many were made. */
export function deliveryMaker(database: RpcClient): () => Promise<number> {
  const kinds = [
    task(everyMs.events, async () => {
      const { events, deliveries } = await callOrThrow(database, "fan_out_events", { maximum: batchSize });
      return { found: events, made: deliveries };
    }),
    task(everyMs.deadlines, async () => {
      const { endpoints, events } = await callOrThrow(database, "announce_deadlines", { maximum: batchSize });
      return { found: endpoints, made: events };
    }),
    task(everyMs.recoveries, async () => {
      const { events, deliveries } = await callOrThrow(database, "continue_recoveries", { maximum: batchSize });
      return { found: events, made: deliveries };
    }),
    task(everyMs.prune, async () => {
      const { events } = await callOrThrow(database, "prune_events", { maximum: pruneSize });
      return { found: events, made: 0 };
    }),
  ];
  return async () => {
    let made = 0;
    for (const kind of kinds) made += await kind();
    return made;
  };
}

/** Work that is done again at once while there is some, and looked for now and then while there is none. */
function task(interval: number, work: () => Promise<{ found: number; made: number }>): () => Promise<number> {
  let nextLook = 0;
  return async () => {
    if (performance.now() < nextLook) return 0;
    const { found, made } = await work();
    if (found === 0) nextLook = performance.now() + interval;
    return made;
  };
}
