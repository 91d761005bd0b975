import type { Usage } from "../api/account.ts";
import { ChartFrame } from "../charts/frame.tsx";
import { requestSeries } from "../charts/series.ts";
import { DayBars, DayBarsEnds } from "../components/day-bars.tsx";
import { formatDay } from "../format/dates.ts";
import { formatCount, plural } from "../format/numbers.ts";
import "./request-bars.css";

/** Requests by day as stacked bars, without the chart library of the usage page: half of what a first visit would load. */
export function RequestBars({ days }: { days: Usage["days"] }) {
  const most = Math.max(1, ...days.map(({ requests }) => requests));
  const rows = days.map((day) => ({ ...day, counts: countsOf(day) }));
  return (
    <ChartFrame
      label="Requests by day"
      series={requestSeries}
      columns={["Day", ...requestSeries.map(({ name }) => name)]}
      rows={rows.map(({ day, counts }) => [formatDay(day), ...counts.map(formatCount)])}
    >
      <p className="muted small numeric" aria-hidden="true">
        {formatCount(most)}
      </p>
      <DayBars
        days={rows.map(({ day, requests, counts }) => ({
          day,
          words: wordsOf(day, requests, counts),
          content: <Stack counts={counts} most={most} />,
        }))}
        label="Requests by day"
        isTall
      />
      <DayBarsEnds first={formatDay(days[0]?.day ?? "")} last="today" />
    </ChartFrame>
  );
}

/** Answered requests, and errors by class, as `requestSeries` has them. */
function countsOf({ requests, client_errors, server_errors }: Usage["days"][number]): number[] {
  return [requests - client_errors - server_errors, client_errors, server_errors];
}

function wordsOf(day: string, requests: number, [, client = 0, server = 0]: readonly number[]): string {
  const errors = [
    ...(client === 0 ? [] : [`${formatCount(client)} answered 4xx`]),
    ...(server === 0 ? [] : [`${formatCount(server)} answered 5xx`]),
  ];
  return `${formatDay(day)}: ${[plural(requests, "request"), ...errors].join(", ")}`;
}

/** The counts of a day, one above the other, the last at the top. */
function Stack({ counts, most }: { counts: readonly number[]; most: number }) {
  return (
    <span className="request-stack">
      {counts.map((count, index) => {
        const series = requestSeries[index];
        if (count === 0 || series === undefined) return null;
        const height = `max(2px, ${(100 * count) / most}%)`;
        return <span key={series.name} style={{ height, background: series.colour }} />;
      })}
    </span>
  );
}
