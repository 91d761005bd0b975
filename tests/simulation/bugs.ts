import type { PlantedBug } from "../support/planted-bug.ts";

interface DispatcherBug extends PlantedBug {
  /** The broken promise that the simulation must tell of. */
  fault: RegExp;
}

/** Bugs that the simulation has to find, by what they do. */
export const dispatcherBugs: Record<string, DispatcherBug> = {
  "retries come ten times too soon": {
    name: "funding.jittered",
    from: "seconds * (0.8",
    to: "seconds * 0.1 * (0.8",
    fault: /came .* s after the one before/,
  },
  "claims of killed dispatchers are not released": {
    name: "funding.release_lost_claims",
    from: "where delivery.claimed_until <= present",
    to: "where delivery.claimed_until <= present and false",
    fault: /claimed for more than a lease/,
  },
  "what is due is claimed minutes later": {
    name: "public.claim_deliveries",
    from: "and delivery.due_at <= present",
    to: "and delivery.due_at <= present - interval '2 minutes'",
    fault: /due for more than a lease/,
  },
  "events that come while a webhook is paused are not for it": {
    name: "funding.fan_out_records",
    from: "endpoint.state <> 'disabled'",
    to: "endpoint.state = 'active'",
    fault: /never came to/,
  },
  "a failure ends the delivery": {
    name: "public.finish_deliveries",
    from: "when before.wait_seconds is null then 'failed' else 'pending' end",
    to: "when before.wait_seconds is null then 'failed' else 'failed' end",
    fault: /a dispatcher failed|never came to|finish_deliveries/,
  },
  "a claim counts no attempt": {
    name: "public.claim_deliveries",
    from: "set attempts = delivery.attempts + 1,",
    to: "set attempts = greatest(delivery.attempts, 1),",
    fault: /claimed twice/,
  },
  "a 410 disables nothing": {
    name: "funding.disabling_reason",
    from: "when is_gone then",
    to: "when is_gone and false then",
    fault: /claimed after a 410/,
  },
  "an attempt sends what the record is by then": {
    name: "public.claim_deliveries",
    from: "'data', funding.event_data(happened, taken.has_details),",
    to: "'data', happened.data::jsonb || jsonb_build_object('attempt', taken.attempts),",
    fault: /another body than the first time/,
  },
  "all that waits for one endpoint is claimed before another's": {
    name: "public.claim_deliveries",
    from: "not is_failing order by position, due_at limit maximum",
    to: "not is_failing order by endpoint_id, due_at limit maximum",
    fault: /was given more than .*, which waits/,
  },
};
