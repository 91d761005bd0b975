import * as z from "zod";
import { readData } from "../data.ts";

/** Kind of country that a topic needs. A topic without one fits anywhere. */
export const terrain = z.enum(["coast", "dry-forest", "countryside", "tribal-lands", "temperate"]);
export type Terrain = z.infer<typeof terrain>;

const stateData = z.strictObject({
  /** USPS code. */
  code: z.string().regex(/^[A-Z]{2}$/),
  name: z.string().min(1),
  /** Codes of the states that share a border; foundations give across these. */
  neighbors: z.array(z.string()),
  /** `tribal-lands`: the state has federally recognized tribes. `temperate`: it is no group of tropical islands. */
  terrains: z.array(terrain),
  isTerritory: z.literal(true).optional(),
});

/** A state, the District of Columbia, or a territory. */
export interface State extends z.infer<typeof stateData> {
  /** The name as it stands after "in". */
  phrase: string;
}

/** The fifty states, the District of Columbia, and the five inhabited territories. */
export const states: readonly State[] = readData("places/states.json", z.array(stateData)).map((state) => ({
  ...state,
  phrase: /^(District|U\.S\. Virgin|Northern Mariana)/.test(state.name) ? `the ${state.name}` : state.name,
}));

const byCode = new Map(states.map((state) => [state.code, state]));

/** The state with a USPS code. Throws on an unknown code. */
export function stateOf(code: string): State {
  const state = byCode.get(code);
  if (state === undefined) throw new Error(`no state has the code ${code}`);
  return state;
}

/** Whether a topic that needs the terrain makes sense in the state. */
export function hasTerrain(stateCode: string, needed: Terrain | undefined): boolean {
  return needed === undefined || stateOf(stateCode).terrains.includes(needed);
}

/** Whether the state is a group of tropical islands, where "Maple Lake" would read wrong. */
export function isTropicalIsland(stateCode: string): boolean {
  return !hasTerrain(stateCode, "temperate");
}
