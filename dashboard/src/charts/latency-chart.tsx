import { CartesianGrid, Line, LineChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import { formatLatency } from "../format/numbers.ts";
import { axis, ChartFrame, chartHeight, nameOf } from "./frame.tsx";
import { type Step, steps, type UsagePoint } from "./steps.ts";
import { ChartTooltip } from "./tooltip.tsx";

const series = [
  { name: "p50", colour: "var(--chart-p50)" },
  { name: "p95", colour: "var(--chart-p95)" },
  { name: "p99", colour: "var(--chart-p99)" },
] as const;

/** Ticks of the axis. Each gridline is a multiple of the one below it. */
const ticks = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000];

/** The ticks around all times: [5, 10, 20, 50], for example. */
function ticksAround(times: readonly (number | null)[]): number[] {
  const known = times.filter((time) => time !== null).map((time) => Math.max(1, time));
  const [least, most] = [Math.min(...known), Math.max(...known)];
  const first = ticks.findLastIndex((tick) => tick < least);
  const last = ticks.findIndex((tick) => tick > most);
  const around = ticks.slice(Math.max(0, first), last === -1 ? undefined : last + 1);
  return around.length > 1 ? around : [...around, ...ticks.slice(ticks.indexOf(around[0] ?? 1) + 1).slice(0, 1)];
}

/** Points up to which each has a dot as large as on a chart of 90 days. */
const largeDots = 90;

/** Response times by day or hour, the 50th, 95th and 99th percentiles, on a logarithmic axis: a slow one does not flatten the others. */
export function LatencyChart({ step, points }: { step: Step; points: readonly UsagePoint[] }) {
  const label = `Response times by ${step}`;
  const { column, format } = steps[step];
  const rows = points.map(({ at, latency_ms }) => ({ at, ...latency_ms }));
  const shown = ticksAround(points.flatMap(({ latency_ms: { p50, p99 } }) => [p50, p99]));
  return (
    <ChartFrame
      label={label}
      series={series}
      columns={[column, ...series.map(({ name }) => name)]}
      rows={rows.map((row) => [format(row.at), ...series.map(({ name }) => formatLatency(row[name]))])}
    >
      <ResponsiveContainer width="100%" height={chartHeight}>
        <LineChart aria-label={nameOf(label, step)} data={rows} margin={{ top: 8, right: 8, bottom: 0, left: 0 }}>
          <CartesianGrid vertical={false} stroke="var(--border)" />
          <XAxis dataKey="at" tickFormatter={format} minTickGap={32} {...axis} />
          <YAxis
            scale="log"
            domain={[shown[0] ?? 1, shown.at(-1) ?? 10]}
            ticks={shown}
            allowDataOverflow
            width="auto"
            tickFormatter={formatLatency}
            {...axis}
          />
          <Tooltip
            isAnimationActive={false}
            cursor={{ stroke: "var(--border-strong)" }}
            content={<ChartTooltip format={formatLatency} formatLabel={format} />}
          />
          {series.map(({ name, colour }) => (
            <Line
              key={name}
              dataKey={name}
              stroke={colour}
              strokeWidth={2}
              dot={{ r: points.length > largeDots ? 1.5 : 2.5, fill: colour, strokeWidth: 0 }}
              isAnimationActive={false}
            />
          ))}
        </LineChart>
      </ResponsiveContainer>
    </ChartFrame>
  );
}
