import { keyRoutes } from "./keys.ts";
import { overviewRoute } from "./overview.ts";
import type { AccountRoute } from "./route.ts";
import { usageRoute } from "./usage.ts";
import { webhookDeliveryRoutes } from "./webhook-deliveries.ts";
import { webhookRoutes } from "./webhooks.ts";

/** Everything that the account API does. */
export const accountRoutes: readonly AccountRoute[] = [
  overviewRoute,
  ...keyRoutes,
  usageRoute,
  ...webhookRoutes,
  ...webhookDeliveryRoutes,
];
