/** A state, the District of Columbia, or a territory. */
export interface State {
  /** USPS code. */
  code: string;
  name: string;
  /** The name as it stands after "in". */
  phrase: string;
  /** Codes of the states that share a border; foundations give across these. */
  neighbors: readonly string[];
}

const rows: readonly (readonly [code: string, name: string, neighbors: string])[] = [
  ["AL", "Alabama", "FL GA MS TN"],
  ["AK", "Alaska", ""],
  ["AZ", "Arizona", "CA NM NV UT"],
  ["AR", "Arkansas", "LA MO MS OK TN TX"],
  ["CA", "California", "AZ NV OR"],
  ["CO", "Colorado", "KS NE NM UT WY"],
  ["CT", "Connecticut", "MA NY RI"],
  ["DE", "Delaware", "MD NJ PA"],
  ["DC", "District of Columbia", "MD VA"],
  ["FL", "Florida", "AL GA"],
  ["GA", "Georgia", "AL FL NC SC TN"],
  ["HI", "Hawaii", ""],
  ["ID", "Idaho", "MT NV OR UT WA WY"],
  ["IL", "Illinois", "IA IN KY MO WI"],
  ["IN", "Indiana", "IL KY MI OH"],
  ["IA", "Iowa", "IL MN MO NE SD WI"],
  ["KS", "Kansas", "CO MO NE OK"],
  ["KY", "Kentucky", "IL IN OH TN VA WV"],
  ["LA", "Louisiana", "AR MS TX"],
  ["ME", "Maine", "NH"],
  ["MD", "Maryland", "DC DE PA VA WV"],
  ["MA", "Massachusetts", "CT NH NY RI VT"],
  ["MI", "Michigan", "IN OH WI"],
  ["MN", "Minnesota", "IA ND SD WI"],
  ["MS", "Mississippi", "AL AR LA TN"],
  ["MO", "Missouri", "AR IA IL KS NE OK"],
  ["MT", "Montana", "ID ND SD WY"],
  ["NE", "Nebraska", "CO IA KS MO SD WY"],
  ["NV", "Nevada", "AZ CA ID OR UT"],
  ["NH", "New Hampshire", "MA ME VT"],
  ["NJ", "New Jersey", "DE NY PA"],
  ["NM", "New Mexico", "AZ CO OK TX"],
  ["NY", "New York", "CT MA NJ PA VT"],
  ["NC", "North Carolina", "GA SC TN VA"],
  ["ND", "North Dakota", "MN MT SD"],
  ["OH", "Ohio", "IN KY MI PA WV"],
  ["OK", "Oklahoma", "AR KS MO NM TX"],
  ["OR", "Oregon", "CA ID NV WA"],
  ["PA", "Pennsylvania", "DE MD NJ NY OH WV"],
  ["RI", "Rhode Island", "CT MA"],
  ["SC", "South Carolina", "GA NC"],
  ["SD", "South Dakota", "IA MN MT ND NE WY"],
  ["TN", "Tennessee", "AL AR GA KY MS NC VA"],
  ["TX", "Texas", "AR LA NM OK"],
  ["UT", "Utah", "AZ CO ID NV WY"],
  ["VT", "Vermont", "MA NH NY"],
  ["VA", "Virginia", "DC KY MD NC TN WV"],
  ["WA", "Washington", "ID OR"],
  ["WV", "West Virginia", "KY MD OH PA VA"],
  ["WI", "Wisconsin", "IA IL MI MN"],
  ["WY", "Wyoming", "CO ID MT NE SD UT"],
  ["PR", "Puerto Rico", "VI"],
  ["GU", "Guam", "MP"],
  ["VI", "U.S. Virgin Islands", "PR"],
  ["AS", "American Samoa", ""],
  ["MP", "Northern Mariana Islands", "GU"],
];

/** The fifty states, the District of Columbia, and the five inhabited territories. */
export const states: readonly State[] = rows.map(([code, name, neighbors]) => ({
  code,
  name,
  phrase: /^(District|U\.S\. Virgin|Northern Mariana)/.test(name) ? `the ${name}` : name,
  neighbors: neighbors.split(" ").filter((neighbor) => neighbor !== ""),
}));

const byCode = new Map(states.map((state) => [state.code, state]));

/** The state with a USPS code. Throws on an unknown code. */
export function stateOf(code: string): State {
  const state = byCode.get(code);
  if (state === undefined) throw new Error(`no state has the code ${code}`);
  return state;
}
