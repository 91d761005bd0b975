import { type ReceivedInvitation, useAcceptInvitation, useDeclineInvitation, useMemberships } from "../api/members.ts";
import { Button } from "../components/button.tsx";
import { Callout } from "../components/callout.tsx";
import { FormError } from "../components/form-error.tsx";
import { useToast } from "../components/toasts.tsx";
import { formatDate } from "../format/dates.ts";

/** Open invitations to the user, each with its answer. */
export function ReceivedInvitations() {
  const { data } = useMemberships();
  return data?.invitations.map((invitation) => <Received key={invitation.id} invitation={invitation} />);
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
