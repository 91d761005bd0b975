/** Height of a chart in pixels. */
export const chartHeight = 240;

/** How every axis looks: labels without lines. */
export const axis = {
  axisLine: false,
  tickLine: false,
  tickMargin: 8,
  tick: { fill: "var(--text-muted)", fontSize: 12 },
} as const;
