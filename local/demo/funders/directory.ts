import type { Random } from "../random.ts";
import { funderAt } from "./funder-list.ts";
import type { FunderKind, FunderProfile } from "./profile.ts";

/** The funders that a run's grants and contracts may refer to. */
export interface Directory {
  /** A funder that gives grants; federal bodies come up most often. */
  grantMaker(random: Random): FunderProfile;
  /** A public body that buys. */
  buyer(random: Random): FunderProfile;
}

const grantMakerShares: Readonly<Record<FunderKind, number>> = {
  federal: 38,
  state: 34,
  community: 10,
  family: 11,
  corporate: 7,
};

/** Makes the directory once for a run: about 3 MB at the 6,600 funders of the full service. */
export function directoryOf(seed: number, count: number): Directory {
  const all = Array.from({ length: Math.max(1, count) }, (_, index) => funderAt(seed, index));
  const givers = byKind(all.filter(({ grantTopics }) => grantTopics.length > 0));
  const buyers = byKind(all.filter(({ contractTopics }) => contractTopics.length > 0));
  const giverShares = [...givers].map(([kind]) => [kind, grantMakerShares[kind]] as const);
  const buyerShares = [...buyers].map(([kind]) => [kind, kind === "federal" ? 70 : 30] as const);
  return {
    grantMaker: (random) => random.pick(givers.get(random.weighted(giverShares)) ?? []),
    buyer: (random) => random.pick(buyers.get(random.weighted(buyerShares)) ?? []),
  };
}

function byKind(funders: readonly FunderProfile[]): Map<FunderKind, FunderProfile[]> {
  const groups = new Map<FunderKind, FunderProfile[]>();
  for (const funder of funders) {
    const group = groups.get(funder.kind);
    if (group === undefined) groups.set(funder.kind, [funder]);
    else group.push(funder);
  }
  return groups;
}
