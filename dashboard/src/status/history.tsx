import type { PublicStatus } from "../../../status/public.ts";
import { Card } from "../components/card.tsx";
import { DayBars, DayBarsEnds } from "../components/day-bars.tsx";
import { Table } from "../components/table.tsx";
import { formatDateTime, formatDay } from "../format/dates.ts";
import { formatLatency } from "../format/numbers.ts";
import { dayWords, formatUptime, type StatusDay } from "./words.ts";

/** The last 90 days, as the server recorded them, and where those are that somebody else recorded. */
export function StatusHistoryCard({ history, url }: { history: PublicStatus; url: string | undefined }) {
  const { days, slots, since, slot_minutes, outages } = history;
  const firstDay = since.slice(0, 10);
  const isFull = days[0] !== undefined && days[0].day >= firstDay;
  const uptime = formatUptime(slots.ready, slots.known);
  return (
    <Card
      title="History, 90 days"
      description={`The server checks itself every ${slot_minutes} minutes while it runs.`}
    >
      <div className="stack-small">
        <div>
          <p className="status-head">
            <strong>API</strong>
            <span className="numeric">{uptime} of the checks found it up</span>
          </p>
          <DayBars
            days={days.map((day) => ({
              day: day.day,
              words: dayWords(day),
              content: <span style={{ background: colourOf(day) }} />,
            }))}
            label={`The last ${days.length} days, ${uptime} of the checks found the API up`}
          />
          <DayBarsEnds first={`${days.length} days ago`} last="today" />
        </div>
        <ul className="status-legend">
          <li>
            <span className="status-dot status-dot-up" /> Every check was well
          </li>
          <li>
            <span className="status-dot status-dot-down" /> Checks failed
          </li>
          <li>
            <span className="status-dot" /> No data
          </li>
        </ul>
        <p>
          {isFull ? "" : `There is no data yet from before ${formatDay(firstDay)}, when the checks began. `}
          {slots.known < slots.elapsed &&
            `Since then, ${formatUptime(slots.elapsed - slots.known, slots.elapsed)} of the time has no check: the server was not running. `}
          <span className="muted">
            A server cannot tell of the time in which it does not run: such days have no data, and do not count.
          </span>
        </p>
        {outages.length === 0 ? (
          <p>No check failed: there is no outage to report.</p>
        ) : (
          <>
            <h3>Outages</h3>
            <ul className="status-outages">
              {outages.map(({ from, to, is_ongoing }) => (
                <li key={from}>
                  {is_ongoing ? `Since ${formatDateTime(from)}` : `${formatDateTime(from)} to ${formatDateTime(to)}`}
                </li>
              ))}
            </ul>
          </>
        )}
        {url !== undefined && (
          <p>
            <a href={url}>The status page</a>, which is kept elsewhere, checks the API from outside.
          </p>
        )}
        <details className="status-days">
          <summary>Show as a table</summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
          <section tabIndex={0} aria-label="The last 90 days, as a table">
            <Table className="" columns={["Day", "Up", ["p95", "number"]]}>
              {days.toReversed().map(({ day, known, ready, p95_ms }) => (
                <tr key={day}>
                  <th scope="row">{formatDay(day)}</th>
                  <td>{known === 0 ? "no data" : `${formatUptime(ready, known)} of ${known} checks`}</td>
                  <td className="number">{formatLatency(p95_ms)}</td>
                </tr>
              ))}
            </Table>
          </section>
        </details>
      </div>
    </Card>
  );
}

/** Least share of a bar that shows a failure: one check in 288 must be seen. */
const leastFailed = 0.15;

/** Green where every check was well, red from above where some failed, grey where nothing is known. */
function colourOf({ known, ready }: StatusDay): string {
  if (known === 0) return "var(--border)";
  if (known === ready) return "var(--chart-answered)";
  const failed = `${100 * Math.max(leastFailed, (known - ready) / known)}%`;
  return `linear-gradient(var(--chart-server-error) ${failed}, var(--chart-answered) ${failed})`;
}
