import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useLocation, useSearch } from "wouter";
import { useTiers } from "../api/billing.ts";
import { Button } from "../components/button.tsx";
import { Callout } from "../components/callout.tsx";
import { useToast } from "../components/toasts.tsx";

/** Time between looks for the subscription that was just bought, and for how long. Stripe tells of it within seconds as a rule. */
const lookMs = 2_000;
const looksForMs = 90_000;

/** Whether the address is the one that Stripe leads back to after a checkout. It stays until the subscription is there. */
export function useIsAfterCheckout(): boolean {
  return new URLSearchParams(useSearch()).get("checkout") === "done";
}

/** After a checkout: says that the subscription is being set up, and looks for it. Otherwise nothing. */
export function CheckoutReturn() {
  return useIsAfterCheckout() ? <Awaited /> : null;
}

function Awaited() {
  const [isLate, setIsLate] = useState(false);
  const { data } = useTiers(isLate ? undefined : lookMs);
  const [, navigate] = useLocation();
  const queries = useQueryClient();
  const toast = useToast();
  const isThere = data?.billing.has_subscription === true;

  useEffect(() => {
    const timer = setTimeout(() => setIsLate(true), looksForMs);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => {
    if (!isThere) return;
    void queries.invalidateQueries({ queryKey: ["account"] });
    void queries.invalidateQueries({ queryKey: ["audit-log"] });
    toast({ title: "Your subscription is set up" });
    navigate("/account", { replace: true });
  }, [isThere, queries, toast, navigate]);

  return (
    <div role="status">
      {isLate ? (
        <Callout
          tone="warning"
          title="Your subscription is not here yet"
          action={<Button onClick={() => navigate("/account", { replace: true })}>I did not pay</Button>}
        >
          This takes longer than usual. Do not pay again: this page shows the tier as soon as Stripe reports the
          payment. If it is not here in an hour, tell the operator of the service, with the account id below.
        </Callout>
      ) : (
        <Callout tone="info" title="Your subscription is being set up">
          Stripe usually reports the payment within seconds. The tier then appears here by itself.
        </Callout>
      )}
    </div>
  );
}
