import type { Handler, ReadRuntime } from "../shared/runtime.ts";
import { handle as account } from "./account-api/index.ts";
import { handle as billing } from "./billing/index.ts";
import { handle as catalogue } from "./catalogue/index.ts";
import type { CatalogueState } from "./catalogue/visit.ts";
import { handle as commonGrants } from "./common-grants/index.ts";
import { handle as contracts } from "./contracts-api/index.ts";
import { handle as dispatch } from "./dispatch/index.ts";
import type { Senders } from "./dispatch/senders.ts";
import { handle as documents } from "./documents/index.ts";
import { handle as funders } from "./funders-api/index.ts";
import { handle as grants } from "./grants-api/index.ts";
import { type HealthState, handle as health } from "./health/index.ts";
import { handle as mcp } from "./mcp/index.ts";
import { handle as metrics } from "./metrics/index.ts";
import { handle as multiSearch } from "./multi-search/index.ts";
import { handle as openapi } from "./openapi/index.ts";
import { handle as savedSearches } from "./saved-searches/index.ts";
import { handle as semanticSearch } from "./semantic-search/index.ts";
import { handle as snapshots } from "./snapshots/index.ts";
import type { SnapshotState } from "./snapshots/store.ts";
import { handle as suggest } from "./suggest/index.ts";

/** Runtime with what any of the functions needs, for the stacks that serve them from one process. */
export interface FullRuntime extends ReadRuntime, SnapshotState, HealthState, Senders, CatalogueState {}

/** All functions by name. */
export const handlers: Readonly<Record<string, Handler<FullRuntime>>> = {
  "grants-api": grants,
  "contracts-api": contracts,
  "funders-api": funders,
  "semantic-search": semanticSearch,
  "multi-search": multiSearch,
  suggest,
  documents,
  catalogue,
  "common-grants": commonGrants,
  snapshots,
  "saved-searches": savedSearches,
  openapi,
  health,
  metrics,
  mcp,
  dispatch,
  "account-api": account,
  billing,
};
