import { type FormEvent, useRef, useState } from "react";
import type { Account } from "../api/account.ts";
import {
  type Invitation,
  type Member,
  type MemberRole,
  useInvite,
  useRemoveMember,
  useWithdrawInvitation,
} from "../api/members.ts";
import { Button } from "../components/button.tsx";
import { Dialog, DialogActions } from "../components/dialog.tsx";
import { SelectField, TextField } from "../components/field.tsx";
import { Form } from "../components/form.tsx";
import { FormError, fieldErrors } from "../components/form-error.tsx";
import { useToast } from "../components/toasts.tsx";
import { useChosenAccount } from "./chosen-account.tsx";
import { roleOptions } from "./roles.ts";

/** Asks for an e-mail address and a role, and invites. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<MemberRole>("member");
  const invite = useInvite();
  const toast = useToast();
  const errors = fieldErrors(invite.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (invite.isPending) return;
    invite.mutate(
      { email: email.trim(), role },
      {
        onSuccess: (invitation) => {
          toast({ title: `${invitation.email} is invited`, description: "Tell them to sign in with that address." });
          onClose();
        },
      },
    );
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Invite to this account"
      description="No e-mail is sent. Tell them to sign in here with this address: they then see the invitation."
    >
      <Form refusal={invite.error} onSubmit={submit} noValidate>
        <TextField
          label="E-mail address"
          type="email"
          value={email}
          onValueChange={setEmail}
          maxLength={254}
          autoComplete="off"
          autoFocus
          error={errors.email}
        />
        <SelectField
          label="Role"
          options={roleOptions}
          value={role}
          onChange={({ target }) => setRole(target.value === "owner" ? "owner" : "member")}
          error={errors.role}
        />
        <FormError error={invite.error} known={["email", "role"]} />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={invite.isPending}>
            {invite.isPending ? "Inviting…" : "Invite"}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

/** Removes a member, or leaves, after a confirmation. */
export function RemoveDialog({ member, account, onClose }: { member: Member; account: Account; onClose: () => void }) {
  const remove = useRemoveMember();
  const { choose } = useChosenAccount();
  const toast = useToast();
  const isRemoved = useRef(false);
  const confirm = () =>
    remove.mutate(member.id, {
      onSuccess: () => {
        isRemoved.current = true;
        onClose();
        if (!member.is_you) return toast({ title: `${member.email} is removed` });
        toast({ title: `You have left the account of ${account.email}` });
        choose(undefined);
      },
    });
  return (
    <Dialog
      isOpen
      isOpenerGone={() => isRemoved.current}
      onClose={onClose}
      title={member.is_you ? `Leave the account of ${account.email}?` : `Remove ${member.email}?`}
      description={
        member.is_you
          ? "You have no access to it from then on. Keys, webhooks and saved searches stay in it."
          : "They have no access from then on. Keys, webhooks and saved searches that they made stay: rotate the keys that they know."
      }
    >
      <FormError error={remove.error} />
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button look="danger" isBusy={remove.isPending} onClick={confirm}>
          {member.is_you ? "Leave" : "Remove"}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** Withdraws an invitation, after a confirmation. */
export function WithdrawDialog({ invitation, onClose }: { invitation: Invitation; onClose: () => void }) {
  const withdraw = useWithdrawInvitation();
  const toast = useToast();
  const isWithdrawn = useRef(false);
  const confirm = () =>
    withdraw.mutate(invitation.id, {
      onSuccess: () => {
        isWithdrawn.current = true;
        toast({ title: `The invitation of ${invitation.email} is withdrawn` });
        onClose();
      },
    });
  return (
    <Dialog
      isOpen
      isOpenerGone={() => isWithdrawn.current}
      onClose={onClose}
      title={`Withdraw the invitation of ${invitation.email}?`}
      description="They can no longer accept it. You can invite them again."
    >
      <FormError error={withdraw.error} />
      <DialogActions>
        <Button onClick={onClose}>Keep it</Button>
        <Button look="danger" isBusy={withdraw.isPending} onClick={confirm}>
          Withdraw
        </Button>
      </DialogActions>
    </Dialog>
  );
}
