import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The clock cannot be set: the message says what to do. */
export class NoClockError extends Error {}

/**
 * The clock on the wall that a server sees, which can be set while it runs. Debian's libfaketime changes what the system says to Deno, and so to the
 * Postgres in it. How long things take stays as it is.
 */
export class Clock {
  readonly #folder = mkdtempSync(join(tmpdir(), "funding-hostile-clock-"));
  readonly #file = join(this.#folder, "offset");
  /** Environment of a process with this clock. */
  readonly environment: Record<string, string>;

  /** @throws {NoClockError} where libfaketime is not installed. */
  constructor() {
    const library = readdirSync("/usr/lib")
      .map((name) => `/usr/lib/${name}/faketime/libfaketime.so.1`)
      .find((path) => existsSync(path));
    if (library === undefined) {
      rmSync(this.#folder, { recursive: true });
      throw new NoClockError(
        "The clock cannot be set: install Debian's package libfaketime (tests/hostile/install.sh does), or leave it out: --without clock.",
      );
    }
    this.set("+0");
    this.environment = {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: this.#file,
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
      // Seconds for which the file is not read again.
      FAKETIME_CACHE_DURATION: "1",
      NO_FAKE_STAT: "1",
    };
  }

  /** Sets it so far from the true time: `+450d`, `-26h`, `+0`. */
  set(offset: string): void {
    const next = `${this.#file}.next`;
    writeFileSync(next, `${offset}\n`);
    renameSync(next, this.#file);
  }

  close(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
