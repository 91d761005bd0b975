import type { ImportSummary } from "../ingest/summary.ts";
import { printError, StatusLine } from "../local/print.ts";
import type { EmbeddingError } from "../shared/embeddings/errors.ts";

/** Pause between two status lines: on a terminal, where a line overwrites the last one, and elsewhere. */
const terminalPauseMs = 250;
const plainPauseMs = 5_000;

/** Status line on standard error, throttled. */
class ThrottledStatus {
  readonly #status = new StatusLine();
  readonly #startedMs = Date.now();
  #shownMs = this.#startedMs;

  /** Shows a line, unless the last one is too new. @param makeLine is given the seconds since the beginning. */
  show(makeLine: (seconds: number) => string): void {
    const now = Date.now();
    if (now - this.#shownMs < (this.#status.isTerminal ? terminalPauseMs : plainPauseMs)) return;
    this.#shownMs = now;
    this.#status.show(makeLine((now - this.#startedMs) / 1_000));
  }

  /** Leaves the terminal at the beginning of a line. */
  end(): void {
    this.#status.end();
  }
}

/** Progress of an import: rows read, rows a second, rows rejected, and megabytes, which go on where no row comes. */
export function importProgress(summary: ImportSummary) {
  const status = new ThrottledStatus();
  let bytes = 0;
  const report = () =>
    status.show((seconds) => {
      const { read, rejected } = summary;
      const rate = Math.round(read / seconds);
      return `${formatCount(read)} rows read, ${formatCount(rate)} a second, ${formatCount(rejected)} rejected; ${formatCount(Math.round(bytes / 1_000_000))} MB`;
    });
  return {
    report,
    addBytes(more: number): void {
      bytes += more;
      report();
    },
    end: () => status.end(),
  };
}

/** Progress of embedding: texts done, texts a second, minutes left. */
export function embedProgress(total: number) {
  const status = new ThrottledStatus();
  let done = 0;
  return {
    /** Number of texts embedded so far. */
    get done() {
      return done;
    },
    add(texts: number): void {
      done += texts;
      status.show((seconds) => {
        const rate = done / seconds;
        const minutesLeft = Math.ceil(Math.max(0, total - done) / rate / 60);
        return `${formatCount(done)} of ${formatCount(total)} texts, ${formatCount(Math.round(rate))} a second, about ${formatCount(minutesLeft)} min left`;
      });
    },
    pause(error: EmbeddingError, pauseMs: number): void {
      status.end();
      printError(`${error.message}; retrying in ${Math.max(1, Math.round(pauseMs / 1_000))} s`);
    },
    end: () => status.end(),
  };
}

/** Formats a number with commas: 82,230. */
export function formatCount(value: number): string {
  return value.toLocaleString("en-US");
}
