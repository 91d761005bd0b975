/**
 * Model of docs/full-lists.md's rules for funders and their names, over a map instead of a database. Names are compared in
 * lower case: the tests spell them in upper and lower case alone.
 */
export class FunderModel {
  #funders: ModelFunder[] = [];
  readonly #codes = new Map<string, ModelFunder>();
  #order = 0;

  get funders(): readonly ModelFunder[] {
    return this.#funders;
  }

  /** The funders of a batch's opportunities, in its order. */
  mention(mentions: readonly Mention[]): ModelFunder[] {
    return mentions.map((mention) => {
      const { source, code, name } = mention;
      const found = this.#find(mention);
      if (found === undefined && name === null) throw new Error("the model lost a funder");
      const funder = found ?? this.#make(source, code ?? `name:${keyOf(name ?? "")}`, name ?? "");
      if (code !== null && this.#findByCode(mention) === undefined) this.#codes.set(`${source}/${code}`, funder);
      return funder;
    });
  }

  /** A directory's batch: names by the directory's codes. */
  list(source: string, entries: readonly { code: string; name: string }[]): void {
    const found = entries.map(({ code, name }) => {
      const own = this.#funders.find((funder) => funder.source === source && funder.code === code);
      return own ?? this.#namesakes(keyOf(name)).find(({ isListed }) => !isListed);
    });
    for (const [index, { code, name }] of entries.entries()) {
      const funder = found[index] ?? this.#make(source, code, name);
      if (funder.source !== source && !funder.code.startsWith("name:")) {
        this.#codes.set(`${funder.source}/${funder.code}`, funder);
      }
      // A record that is as it was listed last is left alone, and with it what was changed by hand.
      if (funder.listedAs !== name) this.#call(funder, name);
      Object.assign(funder, { source, code, isListed: true, listedAs: name });
    }
  }

  /** A name that is changed by hand. */
  rename(funder: ModelFunder, name: string): void {
    this.#call(funder, name);
  }

  remove(funder: ModelFunder): void {
    this.#funders = this.#funders.filter((other) => other !== funder);
  }

  /** The funders that are called so, from the first. */
  #namesakes(key: string): ModelFunder[] {
    const known = (funder: ModelFunder) => funder.names.get(key)?.known ?? 0;
    return this.#funders.filter((funder) => keyOf(funder.name) === key).sort((one, other) => known(one) - known(other));
  }

  #make(source: string, code: string, name: string): ModelFunder {
    const funder: ModelFunder = { source, code, name: "", isListed: false, listedAs: undefined, names: new Map() };
    this.#funders.push(funder);
    this.#call(funder, name);
    return funder;
  }

  #call(funder: ModelFunder, name: string): void {
    funder.name = name;
    const known = funder.names.get(keyOf(name));
    if (known === undefined) funder.names.set(keyOf(name), { known: ++this.#order, former: undefined });
    else known.former = undefined;
    for (const [key, other] of funder.names) {
      if (key !== keyOf(name)) other.former ??= ++this.#order;
    }
  }

  #findByCode({ source, code }: Mention): ModelFunder | undefined {
    const own = this.#funders.find((funder) => code !== null && funder.source === source && funder.code === code);
    const other = this.#codes.get(`${source}/${code}`);
    return own ?? (other !== undefined && this.#funders.includes(other) ? other : undefined);
  }

  #find(mention: Mention): ModelFunder | undefined {
    const byCode = this.#findByCode(mention);
    if (byCode !== undefined || mention.name === null) return byCode;
    const key = keyOf(mention.name);
    const known = this.#funders.flatMap((funder) => {
      const name = funder.names.get(key);
      return name === undefined ? [] : [{ funder, ...name }];
    });
    const isOwn = ({ funder }: { funder: ModelFunder }) => Number(funder.source === mention.source);
    known.sort(
      (one, other) =>
        Number(one.former !== undefined) - Number(other.former !== undefined) ||
        isOwn(other) - isOwn(one) ||
        (other.former ?? 0) - (one.former ?? 0) ||
        one.known - other.known,
    );
    return known[0]?.funder;
  }
}

export interface ModelFunder {
  source: string;
  code: string;
  name: string;
  /** Whether a directory has it, or only opportunities. */
  isListed: boolean;
  listedAs: string | undefined;
  names: Map<string, { known: number; former: number | undefined }>;
}

/** An opportunity's reference to its funder. */
export interface Mention {
  source: string;
  code: string | null;
  name: string | null;
}

const keyOf = (name: string) => name.toLowerCase();
