/** Something that was not as it must be. */
interface Violation {
  seconds: number;
  text: string;
  request: string;
}

/** Violations of one kind that are printed; the others are in the log, and counted. */
const mostShown = 5;

/** Counts, waits and violations of a run. */
export class Report {
  readonly #started = performance.now();
  readonly #outcomes = new Map<string, Map<string, number>>();
  readonly #longestMs = new Map<string, number>();
  readonly #violations = new Map<string, Violation[]>();

  #longestAnswerMs = 0;
  #refusals = 0;

  /** @param log takes every line that is printed, and all violations. */
  constructor(private readonly log: (line: string) => void) {}

  get violations(): number {
    return [...this.#violations.values()].reduce((sum, { length }) => sum + length, 0);
  }

  /** Counts one outcome of a kind: `list`, `right`. */
  count(kind: string, outcome: string, number = 1): void {
    const outcomes = this.#outcomes.get(kind) ?? new Map<string, number>();
    this.#outcomes.set(kind, outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + number));
  }

  /** Counts a 503 that the customer got. */
  refusal(kind: string): void {
    this.#refusals += 1;
    this.count(kind, "503");
  }

  /** Notes how long the customer waited for an answer of a kind. */
  answer(kind: string, milliseconds: number): void {
    this.#longestAnswerMs = Math.max(this.#longestAnswerMs, milliseconds);
    this.wait(kind, milliseconds);
  }

  /** Notes how long something else took. */
  wait(kind: string, milliseconds: number): void {
    this.#longestMs.set(kind, Math.max(this.#longestMs.get(kind) ?? 0, milliseconds));
  }

  /** Prints a line with the time since the start, by which the server's log can be found. */
  say(text: string): void {
    const line = `${this.#clock()} ${text}`;
    console.log(line);
    this.log(line);
  }

  /**
   * Notes that something was not as it must be, and prints it.
   *
   * @param text what was wrong.
   * @param request with which it was seen.
   */
  violation(text: string, request = ""): void {
    const kind = text.replace(/[\d.]+/g, "N").slice(0, 60);
    const alike = this.#violations.get(kind) ?? [];
    alike.push({ seconds: this.#seconds(), text, request });
    this.#violations.set(kind, alike);
    const line = `VIOLATION ${text}${request === "" ? "" : ` (${request})`}`;
    if (alike.length <= mostShown) this.say(line);
    else this.log(`${this.#clock()} ${line}`);
    if (alike.length === mostShown) this.say("  further ones like it are counted");
  }

  /** Prints the counts, the longest waits and all violations. */
  print(): void {
    console.log(`\n${this.#clock()} outcomes, and the longest of each kind:`);
    for (const [kind, outcomes] of [...this.#outcomes].sort(([one], [other]) => one.localeCompare(other))) {
      const counts = [...outcomes].sort().map(([outcome, number]) => `${outcome} ${number}`);
      const longest = this.#longestMs.get(kind);
      const wait = longest === undefined ? "" : `; longest ${(longest / 1000).toFixed(1)} s`;
      console.log(`  ${kind}: ${counts.join(", ")}${wait}`);
    }
    console.log(
      `\nlongest wait for an answer ${(this.#longestAnswerMs / 1000).toFixed(1)} s, ${this.#refusals} answers of 503`,
    );
    for (const alike of this.#violations.values()) {
      const [first, last] = [alike[0], alike.at(-1)];
      if (first === undefined || last === undefined) continue;
      const times =
        alike.length === 1
          ? `at ${clockOf(first.seconds)}`
          : `${alike.length} times, from ${clockOf(first.seconds)} to ${clockOf(last.seconds)}`;
      console.log(`VIOLATION ${times}: ${first.text}${first.request === "" ? "" : ` (${first.request})`}`);
    }
    console.log(`${this.violations} violations`);
  }

  #seconds(): number {
    return Math.round((performance.now() - this.#started) / 1000);
  }

  #clock(): string {
    return `[${clockOf(this.#seconds())}]`;
  }
}

/** Minutes and seconds. */
function clockOf(seconds: number): string {
  return `${String(Math.floor(seconds / 60)).padStart(2, "0")}:${String(seconds % 60).padStart(2, "0")}`;
}
