import { useState } from "react";
import {
  type ReceivedInvitation,
  useAcceptInvitation,
  useDeclineAllInvitations,
  useDeclineInvitation,
  useMemberships,
  useMoreInvitations,
} from "../api/members.ts";
import { Button } from "../components/button.tsx";
import { Callout } from "../components/callout.tsx";
import { FormError } from "../components/form-error.tsx";
import { useToast } from "../components/toasts.tsx";
import { formatDate } from "../format/dates.ts";
import { plural } from "../format/numbers.ts";

/** More invitations than these are declined at once, too. */
const few = 3;

/** Open invitations to the user, each with its answer. */
export function ReceivedInvitations() {
  const { data } = useMemberships();
  const next = data?.next ?? null;
  const [isOpen, setIsOpen] = useState(false);
  const more = useMoreInvitations(next, isOpen);
  const first = data?.invitations ?? [];
  const further = more.data?.pages.flatMap(({ invitations }) => invitations) ?? [];
  const hasMore = more.data === undefined ? next !== null : more.hasNextPage;
  return (
    <>
      {first.length > few && <DeclineAll />}
      {[...first, ...further].map((invitation) => (
        <Received key={invitation.id} invitation={invitation} />
      ))}
      <FormError error={more.error} />
      {hasMore && (
        <Button isBusy={more.isFetching} onClick={() => (isOpen ? void more.fetchNextPage() : setIsOpen(true))}>
          Show more invitations
        </Button>
      )}
    </>
  );
}

function DeclineAll() {
  const declineAll = useDeclineAllInvitations();
  const toast = useToast();
  return (
    <>
      <Callout
        tone="warning"
        title="Many accounts invite you"
        action={
          <Button
            isBusy={declineAll.isPending}
            onClick={() =>
              declineAll.mutate(undefined, {
                onSuccess: ({ declined }) => toast({ title: `${plural(declined, "invitation")} declined` }),
              })
            }
          >
            Decline all
          </Button>
        }
      >
        Accept those that you expect first. The others can be declined together.
      </Callout>
      <FormError error={declineAll.error} />
    </>
  );
}

function Received({ invitation }: { invitation: ReceivedInvitation }) {
  const { id, account_email, role, invited_by, expires_at } = invitation;
  const accept = useAcceptInvitation();
  const decline = useDeclineInvitation();
  const toast = useToast();
  const isBusy = accept.isPending || decline.isPending;
  return (
    <>
      <Callout
        tone="info"
        title={`You are invited to the account of ${account_email}`}
        action={
          <div className="row">
            <Button
              isBusy={isBusy}
              onClick={() => decline.mutate(id, { onSuccess: () => toast({ title: "Invitation declined" }) })}
            >
              Decline
            </Button>
            <Button
              look="primary"
              isBusy={isBusy}
              onClick={() =>
                accept.mutate(id, {
                  onSuccess: () =>
                    toast({
                      title: `You are in the account of ${account_email}`,
                      description: "Choose it in the sidebar.",
                    }),
                })
              }
            >
              Accept
            </Button>
          </div>
        }
      >
        {invited_by ?? "The operator of the service"} invites you as {role === "owner" ? "an owner" : "a member"}. You
        keep your own account. The invitation is open until {formatDate(expires_at)}.
      </Callout>
      <FormError error={accept.error ?? decline.error} />
    </>
  );
}
