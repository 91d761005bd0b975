import { type KeyboardEvent, type ReactNode, useRef, useState } from "react";
import "./day-bars.css";

/** A day of `DayBars`, or another step of time. */
export interface DayBar {
  /** Its name, unlike the others'. */
  day: string;
  /** The day in words: its name, and its tooltip. */
  words: string;
  /** Content of its place. */
  content: ReactNode;
}

/**
 * A bar for each day, with its words beside the pointer or the focus. One stop for the keyboard, at the last day: the arrow keys, Home and End go
 * from day to day.
 */
export function DayBars({
  days,
  label,
  step = "day",
  isTall = false,
}: {
  days: readonly DayBar[];
  label: string;
  /** Time that a bar stands for. */
  step?: "day" | "minute";
  /** The bars' heights say something. */
  isTall?: boolean;
}) {
  const [current, setCurrent] = useState(days.length - 1);
  const [shown, setShown] = useState<number>();
  const bars = useRef<HTMLFieldSetElement>(null);
  const goBy = (event: KeyboardEvent) => {
    const last = days.length - 1;
    const next = { ArrowLeft: current - 1, ArrowRight: current + 1, Home: 0, End: last }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    (bars.current?.children[Math.min(last, Math.max(0, next))] as HTMLElement | undefined)?.focus();
  };
  const day = shown === undefined ? undefined : days[shown];
  return (
    <div className="day-bars-frame">
      <fieldset
        ref={bars}
        className={isTall ? "day-bars day-bars-tall" : "day-bars"}
        aria-label={`${label}: the arrow keys go from ${step} to ${step}`}
        onKeyDown={goBy}
        onMouseLeave={() => setShown(undefined)}
        onBlur={() => setShown(undefined)}
      >
        {days.map((each, index) => (
          <button
            key={each.day}
            type="button"
            className="day-bar"
            tabIndex={index === current ? 0 : -1}
            aria-label={each.words}
            onFocus={() => {
              setCurrent(index);
              setShown(index);
            }}
            onMouseEnter={() => setShown(index)}
          >
            {each.content}
          </button>
        ))}
      </fieldset>
      {day !== undefined && shown !== undefined && (
        <p
          className="day-tooltip"
          aria-hidden="true"
          style={{
            left: `${(100 * (shown + 0.5)) / days.length}%`,
            translate: `${(-100 * shown) / (days.length - 1)}%`,
          }}
        >
          {day.words}
        </p>
      )}
    </div>
  );
}

/** The days at both ends of the bars. */
export function DayBarsEnds({ first, last }: { first: string; last: string }) {
  return (
    <p className="day-bars-ends" aria-hidden="true">
      <span>{first}</span>
      <span>{last}</span>
    </p>
  );
}
