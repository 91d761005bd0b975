import type { Random } from "../../../local/demo/random.ts";
import { comparable, type Mix, type Shot } from "../../load/mix.ts";
import type { Client } from "./client.ts";

/**
 * Reads the demo's grants and funders, which nobody changes: lists, single records, searches of each mode, CSV, totals and facets, and requests with
 * errors. An answer is right if it is the one that was given before there was any trouble.
 */
export class Reader {
  constructor(
    private readonly client: Client,
    private readonly mix: Mix,
    private readonly random: Random,
  ) {}

  /** Sends some requests. @returns whether all were answered, and rightly. */
  async read(): Promise<boolean> {
    let right = 0;
    const requests = this.random.integer(5, 15);
    for (let request = 0; request < requests; request++) if (await this.#ask(this.mix.next())) right += 1;
    return right === requests;
  }

  async #ask(shot: Shot): Promise<boolean> {
    const path = `/functions/v1${shot.path}`;
    const answer = await this.client.ask({ kind: shot.kind, path, init: shot.init });
    if (answer === undefined) return false;
    const { report } = this.client;
    if (answer.status !== shot.status) {
      report.violation(`${shot.kind}: ${answer.status} in place of ${shot.status}: ${answer.body.slice(0, 300)}`, path);
      return false;
    }
    if (shot.body !== undefined && comparable(answer.body) !== shot.body) {
      report.violation(`${shot.kind}: ${difference(comparable(answer.body), shot.body)}`, path);
      return false;
    }
    report.count(shot.kind, "right");
    return true;
  }
}

/** Where two texts part. */
function difference(given: string, right: string): string {
  let same = 0;
  while (same < right.length && given[same] === right[same]) same += 1;
  const part = (text: string) => JSON.stringify(text.slice(Math.max(0, same - 60), same + 80));
  return `another answer than the right one, from character ${same}: ${part(given)} in place of ${part(right)}`;
}
