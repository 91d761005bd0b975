import { useLastHour } from "../api/requests.ts";
import { ChartFrame } from "../charts/frame.tsx";
import { requestSeries } from "../charts/series.ts";
import { Card } from "../components/card.tsx";
import { DayBars, DayBarsEnds } from "../components/day-bars.tsx";
import { formatTime } from "../format/dates.ts";
import { formatCount, plural } from "../format/numbers.ts";
import { type Minute, minutesOf } from "./minutes.ts";

/** The requests of the last hour by minute, as stacked bars; nothing where there are none. `filter` is the list's, without times. */
export function LastHour({ filter }: { filter: string }) {
  const { data } = useLastHour(filter);
  if (data === undefined || data.requests.length === 0) return null;
  const minutes = minutesOf(data.requests, data.from, data.until);
  const most = Math.max(1, ...minutes.map(({ counts }) => sum(counts)));
  return (
    <Card
      title="The last hour"
      description={data.isCut ? `By minute: the latest ${plural(data.requests.length, "request")}.` : "By minute."}
    >
      <div className="last-hour">
        <ChartFrame
          label="Requests by minute"
          series={requestSeries}
          columns={["Minute", ...requestSeries.map(({ name }) => name)]}
          rows={minutes
            .filter(({ counts }) => sum(counts) > 0)
            .map(({ at, counts }) => [formatTime(at), ...counts.map(formatCount)])}
        >
          <p className="muted small numeric" aria-hidden="true">
            {formatCount(most)}
          </p>
          <DayBars
            days={minutes.map((minute) => ({
              day: String(minute.at),
              words: wordsOf(minute),
              content: <Stack counts={minute.counts} most={most} />,
            }))}
            label="Requests by minute"
            step="minute"
            isTall
          />
          <DayBarsEnds first={formatTime(data.from)} last="now" />
        </ChartFrame>
      </div>
    </Card>
  );
}

const sum = (counts: Minute["counts"]) => counts.reduce((all, count) => all + count, 0);

function wordsOf({ at, counts }: Minute): string {
  const [, client, server] = counts;
  const errors = [
    ...(client === 0 ? [] : [`${formatCount(client)} answered 4xx`]),
    ...(server === 0 ? [] : [`${formatCount(server)} answered 5xx`]),
  ];
  return `${formatTime(at)}: ${[plural(sum(counts), "request"), ...errors].join(", ")}`;
}

/** The counts of a minute, one above the other, the last at the top. */
function Stack({ counts, most }: { counts: Minute["counts"]; most: number }) {
  return (
    <span className="minute-stack">
      {counts.map((count, index) => {
        const series = requestSeries[index];
        if (count === 0 || series === undefined) return null;
        const height = `max(2px, ${(100 * count) / most}%)`;
        return <span key={series.name} style={{ height, background: series.colour }} />;
      })}
    </span>
  );
}
