/** Datasets of the API, in the order of its documentation. */
export const datasets = ["grants", "contracts", "funders"] as const;
export type Dataset = (typeof datasets)[number];
