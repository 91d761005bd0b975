import "./charts.css";

const barWidth = 5;
const gap = 2;
const height = 20;

/** A row of bars, as high as their values beside the highest. It is for the eye: its figures stand beside it. */
export function Sparkline({ values }: { values: readonly number[] }) {
  const most = Math.max(1, ...values);
  const width = values.length * (barWidth + gap) - gap;
  return (
    <svg className="sparkline" width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      {values.map((value, index) => {
        // A day without requests is a line, and one with few is higher than that.
        const barHeight = value === 0 ? 1 : Math.max(3, (height * value) / most);
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place.
            key={index}
            className={value === 0 ? "sparkline-none" : undefined}
            x={index * (barWidth + gap)}
            y={height - barHeight}
            width={barWidth}
            height={barHeight}
            rx={1}
          />
        );
      })}
    </svg>
  );
}
