/** What a run of the generator makes. */
export interface DemoOptions {
  /** Another seed gives other records. @default 1 */
  seed?: number;
  /** The moment around which dates are laid; only its UTC date counts. @default now */
  today?: Date;
  /** @default 3000 */
  grants?: number;
  /** @default 1200 */
  contracts?: number;
  /** Grants and contracts refer to these funders, so the count changes them too. @default 300 */
  funders?: number;
}

/** The options with every default filled in. */
export function withDefaults(options: DemoOptions): Required<DemoOptions> {
  return {
    seed: options.seed ?? 1,
    today: options.today ?? new Date(),
    grants: options.grants ?? 3000,
    contracts: options.contracts ?? 1200,
    funders: options.funders ?? 300,
  };
}
