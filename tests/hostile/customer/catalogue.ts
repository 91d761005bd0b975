/** Facts about a record that the harness wrote. */
interface Known {
  /** The last version that was acknowledged; 0 for none. */
  acknowledged: number;
  /** The last version that may be stored. */
  possible: number;
}

/** A record as an answer shows it. */
export interface Seen {
  name: string;
  version: number;
}

/** The records that were written, and the versions in which an answer may show them. */
export class Catalogue {
  readonly #records = new Map<string, Known>();

  get names(): string[] {
    return [...this.#records.keys()];
  }

  /** The names of which some version was acknowledged. */
  get acknowledged(): string[] {
    return this.names.filter((name) => (this.#records.get(name)?.acknowledged ?? 0) > 0);
  }

  /** A version is about to be written. @returns its number. */
  attempt(name: string): number {
    const known = this.#records.get(name) ?? { acknowledged: 0, possible: 0 };
    known.possible += 1;
    this.#records.set(name, known);
    return known.possible;
  }

  /** The database has acknowledged a version. */
  acknowledge(name: string, version: number): void {
    const known = this.#records.get(name);
    if (known !== undefined) known.acknowledged = version;
  }

  /** Records that have to be there from now on. */
  required(): ReadonlyMap<string, number> {
    return new Map(this.acknowledged.map((name) => [name, this.#records.get(name)?.acknowledged ?? 0]));
  }

  /** Faults of records as an answer shows them, given what had to be there when it was asked for. */
  faultsOf(seen: readonly Seen[], required: ReadonlyMap<string, number>): string[] {
    return seen.flatMap(({ name, version }) => {
      const possible = this.#records.get(name)?.possible ?? 0;
      if (possible === 0) return [`${name} was never written`];
      if (version > possible) return [`${name} is of version ${version}, of which ${possible} were written`];
      const least = required.get(name) ?? 0;
      return version < least ? [`${name} is of version ${version}: ${least} was acknowledged`] : [];
    });
  }
}
