/** Parts of a number of requests, with their colours: successful ones, then errors by class. */
export const requestSeries = [
  { name: "Answered", colour: "var(--chart-answered)" },
  { name: "Errors 4xx", colour: "var(--chart-client-error)" },
  { name: "Errors 5xx", colour: "var(--chart-server-error)" },
] as const;
