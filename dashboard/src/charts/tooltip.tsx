import { formatDay } from "../format/dates.ts";

/** The properties that Recharts passes to a tooltip's content, as far as they are used. */
interface TooltipState {
  active?: boolean;
  label?: string | number;
  payload?: readonly { name?: string | number; value?: number | null; color?: string; fill?: string }[];
}

/** Figures of the day under the pointer. */
export function ChartTooltip({
  active = false,
  label,
  payload = [],
  format,
}: TooltipState & { format: (value: number) => string }) {
  if (!active || label === undefined) return null;
  return (
    <div className="chart-tooltip">
      <p className="chart-tooltip-day">{formatDay(String(label))}</p>
      <ul>
        {payload.map(({ name, value, color }) => (
          <li key={name}>
            <span className="chart-dot" style={{ background: color }} />
            {name}
            <span className="chart-tooltip-value">{value === null || value === undefined ? "–" : format(value)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
