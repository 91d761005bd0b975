/** The properties that Recharts passes to a tooltip's content, as far as they are used. */
interface TooltipState {
  active?: boolean;
  label?: string | number;
  payload?: readonly { name?: string | number; value?: number | null; color?: string; fill?: string }[];
}

/** Figures of the day or hour under the pointer. */
export function ChartTooltip({
  active = false,
  label,
  payload = [],
  format,
  formatLabel,
}: TooltipState & { format: (value: number) => string; formatLabel: (label: string) => string }) {
  if (!active || label === undefined) return null;
  return (
    <div className="chart-tooltip">
      <p className="chart-tooltip-day">{formatLabel(String(label))}</p>
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
