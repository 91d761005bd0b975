import type { ImportSummary } from "../../ingest/summary.ts";

/** How often a line is written: over itself on a terminal, else below the last one. */
const terminalPauseMs = 250;
const plainPauseMs = 5_000;

/** Progress on standard error: rows read, and how many a second since the command began. */
export function progressLine(stream: NodeJS.WriteStream) {
  const started = Date.now();
  let written = Date.now();
  let isOpen = false;
  return {
    report({ read, rejected }: ImportSummary): void {
      const now = Date.now();
      if (now - written < (stream.isTTY ? terminalPauseMs : plainPauseMs)) return;
      written = now;
      const rate = Math.round(read / ((now - started) / 1_000));
      const line = `${read.toLocaleString("en-US")} rows read, ${rate.toLocaleString("en-US")} a second, ${rejected.toLocaleString("en-US")} rejected`;
      isOpen = stream.isTTY;
      stream.write(stream.isTTY ? `\r${line}\x1b[K` : `${line}\n`);
    },
    /** Leaves the terminal at the beginning of a line. */
    end(): void {
      if (isOpen) stream.write("\r\x1b[K");
      isOpen = false;
    },
  };
}
