import type { CoveredFunction, WorkerAnswer, WorkerTask } from "./worker.ts";

/** A mutant that takes so long does not end. */
const mostSeconds = 120;

/** A database in a worker, which is made anew when a mutant does not end. */
export class Runner {
  #worker = this.#start();

  async cover(): Promise<CoveredFunction[]> {
    const answer = await this.#ask({ kind: "cover" }, 600);
    if (answer?.kind !== "covered") throw new Error("the SQL suite did not end");
    return answer.functions;
  }

  async try(
    { definition, body, files }: CoveredFunction,
    mutated: string,
  ): Promise<"killed" | "survived" | "invalid" | "endless"> {
    // Text of a function is not a pattern: a replacement by a function has no "$1".
    const statement = definition.replace(body, () => mutated);
    const answer = await this.#ask({ kind: "try", statement, restore: definition, files }, mostSeconds);
    if (answer?.kind === "tried") return answer.outcome;
    this.close();
    this.#worker = this.#start();
    return "endless";
  }

  close(): void {
    this.#worker.terminate();
  }

  #start(): Worker {
    return new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
  }

  /** @returns undefined when there was no answer in time. */
  #ask(task: WorkerTask, seconds: number): Promise<WorkerAnswer | undefined> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => resolve(undefined), seconds * 1_000);
      this.#worker.onmessage = ({ data }: MessageEvent<WorkerAnswer>) => {
        clearTimeout(timer);
        resolve(data);
      };
      this.#worker.onerror = (event: ErrorEvent) => reject(new Error(event.message));
      this.#worker.postMessage(task);
    });
  }
}
