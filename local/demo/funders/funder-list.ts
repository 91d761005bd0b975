import { contractTopicsFor } from "../contracts/topics.ts";
import { grantTopic, grantTopics } from "../grants/topics.ts";
import { hasTerrain, states } from "../places/states.ts";
import { Random } from "../random.ts";
import { slug } from "../text.ts";
import { type FederalAgency, federalAgencies } from "./federal-agencies.ts";
import { type FoundationKind, foundationName } from "./foundation-names.ts";
import type { FunderKind, FunderProfile } from "./profile.ts";
import { stateBodies } from "./state-bodies.ts";

/** Order in which the kinds take turns, so that a run of any size has some of each. */
const turns: readonly FunderKind[] = [
  "federal",
  "state",
  "community",
  "state",
  "family",
  "state",
  "federal",
  "state",
  "corporate",
  "state",
  "community",
  "family",
];

/** Offices, where contractors work for any public body, besides its own sites. */
const offices = ["the {town} Regional Office", "the {town} District Office", "the {town} Field Office"];

/** Topics that foundations give to. */
const privateTopics = grantTopics.filter(({ publicOnly }) => publicOnly !== true);

/** Profile of funder `index`. The same seed and index always give the same funder. */
export function funderAt(seed: number, index: number): FunderProfile {
  const turn = index % turns.length;
  const kind = turns[turn] ?? "community";
  const round = Math.floor(index / turns.length);
  const before = turns.slice(0, turn).filter((other) => other === kind).length;
  const perRound = turns.filter((other) => other === kind).length;
  const number = round * perRound + before;
  if (kind === "federal") {
    const agency = federalAgencies[number];
    if (agency !== undefined) return federal(agency, index);
  }
  if (kind === "state") {
    const body = state(seed, number, index);
    if (body !== null) return body;
  }
  // A community foundation also stands in for the public bodies that ran out, so only the funder's own index gives each one
  // a name of its own.
  return kind === "family" || kind === "corporate"
    ? foundation(seed, kind, number, index)
    : foundation(seed, "community", index, index);
}

function sourceId(index: number): string {
  return `demo-funder-${String(index).padStart(6, "0")}`;
}

function federal(agency: FederalAgency, index: number): FunderProfile {
  return {
    kind: "federal",
    sourceId: sourceId(index),
    name: agency.name,
    abbreviation: agency.abbreviation,
    host: `${slug(agency.abbreviation)}.example.gov`,
    states: agency.states ?? [],
    grantTopics: Object.keys(agency.listings).map(grantTopic),
    listings: agency.listings,
    contractTopics: contractTopicsFor(agency.abbreviation, agency.sites !== undefined),
    ownSites: agency.sites ?? [],
    offices,
    officeCode: agency.officeCode,
  };
}

/**
 * Profile of a state's body. The states take turns; in each round, every state gets a kind of body that it does not have yet.
 * Null when all are dealt out, and for a body that the state cannot have.
 */
function state(seed: number, number: number, index: number): FunderProfile | null {
  const round = Math.floor(number / states.length);
  const home = number % states.length;
  const body = stateBodies[(home * 5 + round * 3 + Math.abs(seed)) % stateBodies.length];
  const homeState = states[home];
  if (round >= stateBodies.length || body === undefined || homeState === undefined) return null;
  if (homeState.code === "DC" && body.inCity === false) return null;
  return {
    kind: "state",
    sourceId: sourceId(index),
    name: `${homeState.name} ${body.title}`,
    abbreviation: `${homeState.code}-${body.abbreviation}`,
    host: `${body.abbreviation.toLowerCase()}.${slug(homeState.name)}.example.gov`,
    states: [homeState.code],
    grantTopics: body.grantTopics.map(grantTopic).filter(({ terrain }) => hasTerrain(homeState.code, terrain)),
    listings: {},
    contractTopics: contractTopicsFor(`state ${body.abbreviation}`, body.sites.length > 0).filter(({ terrain }) =>
      hasTerrain(homeState.code, terrain),
    ),
    ownSites: body.sites,
    offices,
    officeCode: null,
  };
}

function foundation(seed: number, kind: FoundationKind, number: number, index: number): FunderProfile {
  const random = new Random(seed, "foundation", index);
  const name = foundationName(kind, seed, number);
  const home = random.pick(states).code;
  // A company gives in many states, so its topics must fit any of them.
  const fit = privateTopics.filter(({ terrain }) =>
    kind === "corporate" ? terrain === undefined : hasTerrain(home, terrain),
  );
  return {
    kind,
    sourceId: sourceId(index),
    name,
    abbreviation: name
      .split(" ")
      .filter((word) => /^[A-Z]/.test(word))
      .map((word) => word.charAt(0))
      .join(""),
    host: `${slug(name)}.example.org`,
    states: kind === "corporate" ? [] : [home],
    grantTopics: random.sample(fit, kind === "community" ? 12 : 4),
    listings: {},
    contractTopics: [],
    ownSites: [],
    offices: [],
    officeCode: null,
  };
}
