import { CartesianGrid, Line, LineChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import type { Usage } from "../api/account.ts";
import { formatDay } from "../format/dates.ts";
import { formatLatency } from "../format/numbers.ts";
import { axis, ChartFrame, chartHeight, nameOf } from "./frame.tsx";
import { ChartTooltip } from "./tooltip.tsx";

const label = "Response times by day";
const series = [
  { name: "p50", colour: "var(--chart-p50)" },
  { name: "p95", colour: "var(--chart-p95)" },
  { name: "p99", colour: "var(--chart-p99)" },
] as const;

/** Response times by day: the 50th, 95th and 99th percentiles. */
export function LatencyChart({ days }: { days: Usage["days"] }) {
  const rows = days.map(({ day, latency_ms }) => ({ day, ...latency_ms }));
  return (
    <ChartFrame
      label={label}
      series={series}
      columns={["Day", ...series.map(({ name }) => name)]}
      rows={rows.map((row) => [formatDay(row.day), ...series.map(({ name }) => formatLatency(row[name]))])}
    >
      <ResponsiveContainer width="100%" height={chartHeight}>
        <LineChart aria-label={nameOf(label)} data={rows} margin={{ top: 8, right: 8, bottom: 0, left: 0 }}>
          <CartesianGrid vertical={false} stroke="var(--border)" />
          <XAxis dataKey="day" tickFormatter={formatDay} minTickGap={32} {...axis} />
          <YAxis niceTicks="snap125" width="auto" tickFormatter={formatLatency} {...axis} />
          <Tooltip
            isAnimationActive={false}
            cursor={{ stroke: "var(--border-strong)" }}
            content={<ChartTooltip format={formatLatency} />}
          />
          {series.map(({ name, colour }) => (
            <Line
              key={name}
              dataKey={name}
              stroke={colour}
              strokeWidth={2}
              dot={{ r: 2.5, fill: colour, strokeWidth: 0 }}
              isAnimationActive={false}
            />
          ))}
        </LineChart>
      </ResponsiveContainer>
    </ChartFrame>
  );
}
