import type { WebhookDelivery } from "../../../shared/responses/account/webhooks.ts";
import { refreshMs } from "./refresh.ts";

/** Time between refreshes while an attempt is awaited. */
const awaitedRefreshMs = 3_000;
/** An attempt that is due within this time is awaited: two refreshes, so that it is noticed before it is made. */
const soonSeconds = 30;

/**
 * Time until deliveries are read again: seconds while an attempt is due or under way. A retry may be a day away. To a webhook that is not
 * active nothing is sent, and its deliveries are pending for up to 30 days.
 */
export function deliveryRefreshMs(
  deliveries: readonly Pick<WebhookDelivery, "state" | "next_attempt_in_seconds">[],
  isActive: boolean,
): number {
  // A pending delivery without a next attempt has one under way.
  const isAwaited = deliveries.some(
    ({ state, next_attempt_in_seconds }) => state === "pending" && (next_attempt_in_seconds ?? 0) <= soonSeconds,
  );
  return isActive && isAwaited ? awaitedRefreshMs : refreshMs;
}
