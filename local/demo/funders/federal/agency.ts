/** A federal agency that gives grants, buys goods and services, or both. */
export interface FederalAgency {
  name: string;
  abbreviation: string;
  /** Assistance listing by grant topic key. The numbers are the real ones for such programs. */
  listings: Readonly<Record<string, string>>;
  /** Start of its solicitation numbers. */
  officeCode: string;
  /** Its own kinds of work place, besides offices. `{town}` and `{water}` allowed. */
  sites?: readonly string[];
  /** States in which a regional body works; every state when absent. */
  states?: string;
}
