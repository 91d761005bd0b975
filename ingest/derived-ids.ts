import { IdTable } from "./id-table.ts";
import { type DerivedIdentity, distinctiveFields } from "./normalize/source-id.ts";

/** Inputs of {@link DerivedIds}. */
export interface DerivedIdsOptions {
  /** Identifiers of the source's stored records. Read at the first row without an identifier of its own. */
  known(): AsyncIterable<string>;
  /** Identities in the whole input. Read at the first row that may be a changed one; undefined where the input cannot be read again, or not to its end. */
  lookAhead(): Promise<IdTable | undefined>;
  /** Whether the input is the source's full list, so that a stored record that it lacks is gone or was changed. */
  isFull: boolean;
  /** Fields with one value for all rows, which tell none apart. */
  constants: ReadonlySet<string>;
}

/**
 * Chooses the identifiers of the records of one dataset whose source gives none. A row has the identifier of its own values, unless it is a stored
 * record that changed:
 *
 * - A record of an earlier version of the importer, whose identifier says only its head, is continued by the first row of that head.
 * - Where one stored record of a head is not in the input any more, and one row of that head is new, the row is that record. Since two records may
 *   have one title and funder, this needs a full list, or a head with an address or a posting date.
 */
export class DerivedIds {
  readonly #options: DerivedIdsOptions;
  #known: IdTable | undefined;
  #inInput: Promise<IdTable | undefined> | undefined;
  /** Rows that continue a record of an earlier version. */
  readonly #continuing = new IdTable();
  /** By head, where a row is neither stored nor a continued one. The rows of a head are looked through once. */
  readonly #changes = new Map<string, Change>();
  readonly #fields = { head: new Set<string>(), tail: new Set<string>() };
  #count = 0;

  constructor(options: DerivedIdsOptions) {
    this.#options = options;
  }

  /** Returns the `source_id` of a row's record. */
  async resolve(identity: DerivedIdentity): Promise<string> {
    this.#count++;
    for (const part of ["head", "tail"] as const)
      for (const field of identity.fields[part]) this.#fields[part].add(field);
    this.#known ??= await readKnown(this.#options.known());
    return identity.head + (await this.#chooseTail(identity, this.#known));
  }

  /** Sentence for the summary: what the identifiers were made of. Undefined where every row has one of its own. */
  describe(): string | undefined {
    if (this.#count === 0) return undefined;
    const [head, tail] = [this.#fields.head, this.#fields.tail].map((fields) => [...fields].join(", "));
    const rows = `${this.#count.toLocaleString("en-US")} ${this.#count === 1 ? "row has" : "rows have"}`;
    return `${rows} no source_id: a record is known by ${head}${tail === "" ? "" : `, and told apart by ${tail}`}`;
  }

  async #chooseTail({ head, tail, legacyTail, fields }: DerivedIdentity, known: IdTable): Promise<string> {
    if (!known.hasHead(head) || known.has(head, tail)) return tail;
    if (known.has(head, legacyTail) && this.#continues(head, tail)) return legacyTail;
    const { isFull, constants } = this.#options;
    const isDistinctive = fields.head.some((field) => distinctiveFields.has(field) && !constants.has(field));
    if (!isDistinctive && !isFull) return tail;
    this.#inInput ??= this.#options.lookAhead();
    const given = await this.#inInput;
    if (given === undefined) return tail;
    const change = this.#changes.get(head) ?? this.#findChange({ head, legacyTail }, known, given);
    this.#changes.set(head, change);
    return change.added === tail ? (change.gone ?? tail) : tail;
  }

  /** Finds the one tail of a head that is gone and the one that is new. Neither where there are several: then it is not known which became which. */
  #findChange(
    { head, legacyTail }: Pick<DerivedIdentity, "head" | "legacyTail">,
    known: IdTable,
    given: IdTable,
  ): Change {
    const gone = onlyOne(known.tails(head), (one) => one !== legacyTail && !given.has(head, one));
    const added = onlyOne(given.tails(head), (one) => !known.has(head, one) && !this.#continuing.has(head, one));
    return gone === undefined || added === undefined ? {} : { gone, added };
  }

  /** Whether a row is the one that continues the head's record of an earlier version: the first. */
  #continues(head: string, tail: string): boolean {
    if (!this.#continuing.hasHead(head)) this.#continuing.add(head, tail);
    return this.#continuing.has(head, tail);
  }
}

/** A stored record whose row is not in the input any more, and the row that it became. */
interface Change {
  gone?: string;
  added?: string;
}

/** Returns the only one that fits; undefined for none and for several. */
function onlyOne(tails: Iterable<string>, isWanted: (tail: string) => boolean): string | undefined {
  let found: string | undefined;
  for (const tail of tails) {
    if (!isWanted(tail)) continue;
    if (found !== undefined) return undefined;
    found = tail;
  }
  return found;
}

async function readKnown(ids: AsyncIterable<string>): Promise<IdTable> {
  const known = new IdTable();
  for await (const id of ids) if (/^[0-9a-f]{32}$/.test(id)) known.add(id.slice(0, 16), id.slice(16));
  return known;
}
