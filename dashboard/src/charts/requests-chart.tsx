import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import { useLocation } from "wouter";
import { formatCount } from "../format/numbers.ts";
import { axis, ChartFrame, chartHeight, nameOf } from "./frame.tsx";
import { requestSeries } from "./series.ts";
import { type Step, steps, type UsagePoint } from "./steps.ts";
import { ChartTooltip } from "./tooltip.tsx";

/**
 * Requests by day or hour, as stacked bars: successful ones, then errors by class.
 *
 * @param linkOf address that a bar leads to, by a click on it or in the table. Default: none.
 */
export function RequestsChart({
  step,
  points,
  linkOf,
}: {
  step: Step;
  points: readonly UsagePoint[];
  linkOf?: (at: string) => string;
}) {
  const label = `Requests by ${step}`;
  const { column, format } = steps[step];
  const [, navigate] = useLocation();
  const rows = points.map(({ at, requests, client_errors, server_errors }) => ({
    at,
    Answered: requests - client_errors - server_errors,
    "Errors 4xx": client_errors,
    "Errors 5xx": server_errors,
  }));
  return (
    <ChartFrame
      label={label}
      series={requestSeries}
      columns={[column, ...requestSeries.map(({ name }) => name)]}
      links={linkOf && points.map(({ at }) => linkOf(at))}
      rows={rows.map((row) => [format(row.at), ...requestSeries.map(({ name }) => formatCount(row[name]))])}
    >
      <ResponsiveContainer width="100%" height={chartHeight}>
        <BarChart
          aria-label={nameOf(label, step)}
          data={rows}
          margin={{ top: 8, right: 0, bottom: 0, left: 0 }}
          barCategoryGap="22%"
          className={linkOf === undefined ? "" : "chart-of-links"}
          onClick={({ activeLabel }) => {
            if (linkOf !== undefined && activeLabel !== undefined) navigate(linkOf(String(activeLabel)));
          }}
        >
          <CartesianGrid vertical={false} stroke="var(--border)" />
          <XAxis dataKey="at" tickFormatter={format} minTickGap={32} {...axis} />
          <YAxis allowDecimals={false} niceTicks="snap125" width="auto" tickFormatter={formatCount} {...axis} />
          <Tooltip
            isAnimationActive={false}
            cursor={{ fill: "var(--hover)" }}
            content={<ChartTooltip format={formatCount} formatLabel={format} />}
          />
          {requestSeries.map(({ name, colour }) => (
            <Bar key={name} dataKey={name} stackId="requests" fill={colour} maxBarSize={28} isAnimationActive={false} />
          ))}
        </BarChart>
      </ResponsiveContainer>
    </ChartFrame>
  );
}
