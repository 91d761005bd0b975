import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import { useLocation } from "wouter";
import type { Usage } from "../api/account.ts";
import { formatDay } from "../format/dates.ts";
import { formatCount } from "../format/numbers.ts";
import { axis, ChartFrame, chartHeight, nameOf } from "./frame.tsx";
import { ChartTooltip } from "./tooltip.tsx";

const label = "Requests by day";
const series = [
  { name: "Answered", colour: "var(--chart-answered)" },
  { name: "Errors 4xx", colour: "var(--chart-client-error)" },
  { name: "Errors 5xx", colour: "var(--chart-server-error)" },
] as const;

/**
 * Requests by day, as stacked bars: successful ones, then errors by class.
 *
 * @param linkOf address that a day leads to, by a click on its bar or in the table. Default: none.
 */
export function RequestsChart({ days, linkOf }: { days: Usage["days"]; linkOf?: (day: string) => string }) {
  const [, navigate] = useLocation();
  const rows = days.map(({ day, requests, client_errors, server_errors }) => ({
    day,
    Answered: requests - client_errors - server_errors,
    "Errors 4xx": client_errors,
    "Errors 5xx": server_errors,
  }));
  return (
    <ChartFrame
      label={label}
      series={series}
      columns={["Day", ...series.map(({ name }) => name)]}
      links={linkOf && days.map(({ day }) => linkOf(day))}
      rows={rows.map((row) => [formatDay(row.day), ...series.map(({ name }) => formatCount(row[name]))])}
    >
      <ResponsiveContainer width="100%" height={chartHeight}>
        <BarChart
          aria-label={nameOf(label)}
          data={rows}
          margin={{ top: 8, right: 0, bottom: 0, left: 0 }}
          barCategoryGap="22%"
          className={linkOf === undefined ? "" : "chart-of-links"}
          onClick={({ activeLabel }) => {
            if (linkOf !== undefined && activeLabel !== undefined) navigate(linkOf(String(activeLabel)));
          }}
        >
          <CartesianGrid vertical={false} stroke="var(--border)" />
          <XAxis dataKey="day" tickFormatter={formatDay} minTickGap={32} {...axis} />
          <YAxis allowDecimals={false} niceTicks="snap125" width="auto" tickFormatter={formatCount} {...axis} />
          <Tooltip
            isAnimationActive={false}
            cursor={{ fill: "var(--hover)" }}
            content={<ChartTooltip format={formatCount} />}
          />
          {series.map(({ name, colour }) => (
            <Bar key={name} dataKey={name} stackId="requests" fill={colour} maxBarSize={28} isAnimationActive={false} />
          ))}
        </BarChart>
      </ResponsiveContainer>
    </ChartFrame>
  );
}
