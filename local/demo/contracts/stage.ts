import type { ContractRecord } from "../../../ingest/record.ts";
import { type Day, weekdayOnOrAfter, weekdayOnOrBefore } from "../calendar.ts";
import type { Random } from "../random.ts";
import type { Delivery } from "./topics.ts";

/** Stage of a contract, with matching dates. */
export interface ContractStage {
  status: "open" | "closed" | "forecasted" | "awarded" | "cancelled";
  classification: ContractRecord["classification"];
  posted: Day;
  deadline: Day | null;
  projectEnd: Day | null;
  archived: Day | null;
}

const shares = [
  ["open", 51],
  ["awarded", 20],
  ["closed", 10],
  ["archived", 8],
  ["forecasted", 7],
  ["cancelled", 4],
] as const;

/** Duration of the work in days, by the kind of delivery. */
const durationsDays: Readonly<Record<Delivery, readonly number[]>> = {
  service: [365, 730, 1095, 1825],
  remote: [180, 365, 730, 1095],
  works: [90, 180, 270, 365, 540],
  supplies: [30, 60, 90, 120],
};

/** Chooses a stage and matching dates. Nothing is posted or archived later than yesterday. */
export function contractStage(delivery: Delivery, today: Day, random: Random): ContractStage {
  const kind = random.weighted(shares);
  const daysAgo = (low: number, high: number) => {
    const day = today - random.integer(low, high);
    return random.chance(0.95) ? weekdayOnOrBefore(day) : day;
  };
  const live = { classification: "opportunity", projectEnd: null, archived: null } as const;
  switch (kind) {
    case "open": {
      const posted = daysAgo(1, Math.ceil(2 + 70 * random.next() ** 1.5));
      const ahead = 3 + Math.floor(150 * random.next() ** 2.2);
      const deadline = random.chance(0.05) ? null : weekdayOnOrAfter(today + ahead);
      return { ...live, status: "open", posted, deadline };
    }
    case "forecasted": {
      const deadline = random.chance(0.6) ? null : weekdayOnOrAfter(today + random.integer(45, 240));
      return { ...live, status: "forecasted", posted: daysAgo(1, 150), deadline };
    }
    case "cancelled": {
      const posted = daysAgo(10, 300);
      const deadline = random.chance(0.3) ? null : weekdayOnOrAfter(posted + random.integer(14, 60));
      return { ...live, status: "cancelled", posted, deadline };
    }
    case "closed": {
      const closed = weekdayOnOrBefore(today - random.integer(1, 120));
      const posted = weekdayOnOrBefore(closed - random.integer(12, 60));
      return { ...live, status: "closed", posted, deadline: closed };
    }
    case "archived": {
      const archived = today - random.integer(1, 900);
      const closed = weekdayOnOrBefore(archived - random.integer(15, 30));
      const posted = weekdayOnOrBefore(closed - random.integer(12, 60));
      return { ...live, status: "closed", posted, deadline: closed, archived };
    }
    case "awarded": {
      const posted = daysAgo(5, 1090);
      return {
        status: "awarded",
        classification: "awarded_project",
        posted,
        deadline: null,
        projectEnd: posted + random.pick(durationsDays[delivery]) + random.integer(0, 30),
        archived: null,
      };
    }
  }
}
