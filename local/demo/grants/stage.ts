import type { GrantRecord } from "../../../ingest/record.ts";
import { type Day, momentIn, weekdayOnOrAfter, weekdayOnOrBefore } from "../calendar.ts";
import type { FunderKind } from "../funders/profile.ts";
import type { Random } from "../random.ts";

/** Stage of a grant in its life, with matching dates. */
export interface GrantStage {
  status: GrantRecord["status"];
  classification: GrantRecord["classification"];
  /** The day it was posted. */
  posted: Day;
  deadline: Day | null;
  projectEnd: Day | null;
  archived: Day | null;
}

type StageKind = "open" | "forecasted" | "upcoming" | "closed" | "archived" | "awarded";

const shares: readonly (readonly [StageKind, number])[] = [
  ["open", 54],
  ["awarded", 18],
  ["archived", 12],
  ["forecasted", 6],
  ["closed", 6],
  ["upcoming", 4],
];

/** Share of open notices with the status "posted", the word of federal sites, rather than "open". */
const postedShare: Readonly<Record<FunderKind, number>> = {
  federal: 0.92,
  state: 0.62,
  community: 0.5,
  family: 0.5,
  corporate: 0.5,
};

/** Age of the oldest records, in days: three years. */
const oldestDays = 1090;

/** Days from a deadline to the planned archive date of a federal notice. */
const daysToArchive = 30;
/** Of so many grants, one that is open and has a deadline closes today. */
const closingTodayEvery = 97;

/** Chooses the stage of grant `index` and matching dates. Nothing was posted or archived later than yesterday; archive dates may be planned. */
export function grantStage(funder: FunderKind, today: Day, index: number, random: Random): GrantStage {
  const stage = drawStage(funder, today, random);
  const isOpen = stage.status === "open" || stage.status === "posted";
  const deadline = isOpen && stage.deadline !== null && index % closingTodayEvery === 0 ? today : stage.deadline;
  const isPlanned = isOpen && funder === "federal" && deadline !== null;
  return { ...stage, deadline, archived: isPlanned ? deadline + daysToArchive : stage.archived };
}

function drawStage(funder: FunderKind, today: Day, random: Random): GrantStage {
  const kind = random.weighted(shares);
  const daysAgo = (low: number, high: number) => {
    const day = today - random.integer(low, high);
    return funder === "federal" && random.chance(0.96) ? weekdayOnOrBefore(day) : day;
  };
  const live = { classification: "opportunity", projectEnd: null, archived: null } as const;
  switch (kind) {
    case "open": {
      const rolling = random.chance(0.14);
      // Squaring puts most notices in the last few weeks, as on a real listing.
      const posted = daysAgo(1, rolling ? 600 : Math.ceil(3 + 177 * random.next() ** 2));
      const deadline = rolling ? null : weekdayOnOrAfter(today + 3 + Math.floor(262 * random.next() ** 1.7));
      const status = random.chance(postedShare[funder]) ? "posted" : "open";
      return { ...live, status, posted, deadline };
    }
    case "forecasted": {
      const deadline = random.chance(0.6) ? null : weekdayOnOrAfter(today + random.integer(60, 265));
      return { ...live, status: "forecasted", posted: daysAgo(1, 180), deadline };
    }
    case "upcoming": {
      const deadline = random.chance(0.25) ? null : weekdayOnOrAfter(today + random.integer(30, 265));
      return { ...live, status: "upcoming", posted: daysAgo(1, 90), deadline };
    }
    case "closed": {
      const closed = today - random.integer(1, 120);
      const posted = weekdayOnOrBefore(closed - random.integer(25, 100));
      return { ...live, status: "closed", posted, deadline: random.chance(0.05) ? null : closed };
    }
    case "archived": {
      const archived = today - random.integer(1, oldestDays - 200);
      const closed = archived - random.integer(15, 60);
      const posted = weekdayOnOrBefore(closed - random.integer(25, 100));
      return { ...live, status: "closed", posted, deadline: closed, archived };
    }
    case "awarded": {
      const posted = daysAgo(10, oldestDays);
      return {
        status: "closed",
        classification: "awarded_project",
        posted,
        deadline: null,
        projectEnd: posted + random.pick([12, 18, 24, 24, 36, 36, 48]) * 30 + random.integer(0, 90),
        archived: null,
      };
    }
  }
}

/** Moment of a posting: office hours for federal notices, any waking hour for the rest. */
export function postedAt(day: Day, funder: FunderKind, random: Random): string {
  return funder === "federal" ? momentIn(day, 12, 22, random) : momentIn(day, 6, 24, random);
}
