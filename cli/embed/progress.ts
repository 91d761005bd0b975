import type { EmbeddingError } from "../../shared/embeddings/errors.ts";

/** How often a line is written: over itself on a terminal, else below the last one. */
const terminalPauseMs = 250;
const plainPauseMs = 5_000;

/** Progress on standard error: records done, how many a second, and how long the rest will take. */
export function progressLine(stream: NodeJS.WriteStream, total: number) {
  const started = Date.now();
  let written = started;
  let isOpen = false;
  let done = 0;
  return {
    /** How many records were embedded so far. */
    get done() {
      return done;
    },
    add(records: number): void {
      done += records;
      const now = Date.now();
      if (now - written < (stream.isTTY ? terminalPauseMs : plainPauseMs)) return;
      written = now;
      const rate = done / ((now - started) / 1_000);
      const left = Math.ceil(Math.max(0, total - done) / rate / 60);
      const line = `${count(done)} of ${count(total)} records, ${count(Math.round(rate))} a second, about ${count(left)} min left`;
      isOpen = stream.isTTY;
      stream.write(stream.isTTY ? `\r${line}\x1b[K` : `${line}\n`);
    },
    pause(error: EmbeddingError, pauseMs: number): void {
      this.end();
      stream.write(`${error.message}; asking again in ${Math.max(1, Math.round(pauseMs / 1_000))} s\n`);
    },
    /** Leaves the terminal at the beginning of a line. */
    end(): void {
      if (isOpen) stream.write("\r\x1b[K");
      isOpen = false;
    },
  };
}

function count(value: number): string {
  return value.toLocaleString("en-US");
}
