import { type OfferedCustomer, useDecideOffer, useOffers } from "../api/billing.ts";
import { Button } from "../components/button.tsx";
import { Callout } from "../components/callout.tsx";
import { FormError } from "../components/form-error.tsx";
import { useToast } from "../components/toasts.tsx";
import { formatDate } from "../format/dates.ts";

/** Questions about customers at Stripe who would pay for the account. Owners answer them. */
export function Offers({ isOwner }: { isOwner: boolean }) {
  const { data = [] } = useOffers();
  return data
    .filter(({ refused_at }) => refused_at === null)
    .map((offer) => <Offer key={offer.id} offer={offer} isOwner={isOwner} />);
}

function Offer({ offer, isOwner }: { offer: OfferedCustomer; isOwner: boolean }) {
  const { id, customer, offered_at, subscription } = offer;
  const decide = useDecideOffer();
  const toast = useToast();
  const answer = (decision: "accept" | "refuse", title: string) => (
    <Button
      isBusy={decide.isPending}
      onClick={() => decide.mutate({ id, decision }, { onSuccess: () => toast({ title }) })}
    >
      {decision === "accept" ? "Accept" : "Refuse"}
    </Button>
  );
  return (
    <>
      <Callout
        tone="warning"
        title="A customer at Stripe asks to pay for this account"
        action={
          isOwner && (
            <div className="row">
              {answer("refuse", "Customer refused")}
              {answer("accept", "Customer accepted")}
            </div>
          )
        }
      >
        The customer {customer} named this account on {formatDate(offered_at)}
        {subscription === null ? "" : `, and pays for the ${subscription.tier} tier`}. This has no effect until an owner
        accepts it. Refuse it if nobody of this account paid.
      </Callout>
      <FormError error={decide.error} />
    </>
  );
}
