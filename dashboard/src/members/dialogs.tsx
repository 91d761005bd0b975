import { useState } from "react";
import type { Account } from "../api/account.ts";
import {
  type Invitation,
  type Member,
  type MemberRole,
  useInvite,
  useRemoveMember,
  useWithdrawInvitation,
} from "../api/members.ts";
import { ConfirmDialog } from "../components/confirm-dialog.tsx";
import { SelectField, TextField } from "../components/field.tsx";
import { FormDialog } from "../components/form-dialog.tsx";
import { fieldErrors } from "../components/form-error.tsx";
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
  const submit = () =>
    invite.mutate(
      { email: email.trim(), role },
      {
        onSuccess: (invitation) => {
          toast({ title: `${invitation.email} is invited`, description: "Tell them to sign in with that address." });
          onClose();
        },
      },
    );
  return (
    <FormDialog
      title="Invite to this account"
      description="No e-mail is sent. Tell them to sign in here with this address: they then see the invitation."
      change={invite}
      known={["email", "role"]}
      submitName="Invite"
      busyName="Inviting…"
      onSubmit={submit}
      onClose={onClose}
    >
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
    </FormDialog>
  );
}

/** Removes a member, or leaves, after a confirmation. */
export function RemoveDialog({ member, account, onClose }: { member: Member; account: Account; onClose: () => void }) {
  const remove = useRemoveMember();
  const { choose } = useChosenAccount();
  const toast = useToast();
  const done = () => {
    onClose();
    if (!member.is_you) return toast({ title: `${member.email} is removed` });
    toast({ title: `You have left the account of ${account.email}` });
    choose(undefined);
  };
  return (
    <ConfirmDialog
      title={member.is_you ? `Leave the account of ${account.email}?` : `Remove ${member.email}?`}
      description={
        member.is_you
          ? "You have no access to it from then on. Keys, webhooks and saved searches stay in it."
          : "They have no access from then on. Keys, webhooks and saved searches that they made stay: rotate the keys that they know."
      }
      change={remove}
      keepName="Cancel"
      confirmName={member.is_you ? "Leave" : "Remove"}
      onConfirm={(options) => remove.mutate(member.id, options)}
      onDone={done}
      onClose={onClose}
    />
  );
}

/** Withdraws an invitation, after a confirmation. */
export function WithdrawDialog({ invitation, onClose }: { invitation: Invitation; onClose: () => void }) {
  const withdraw = useWithdrawInvitation();
  const toast = useToast();
  const done = () => {
    toast({ title: `The invitation of ${invitation.email} is withdrawn` });
    onClose();
  };
  return (
    <ConfirmDialog
      title={`Withdraw the invitation of ${invitation.email}?`}
      description="They can no longer accept it. You can invite them again."
      change={withdraw}
      confirmName="Withdraw"
      onConfirm={(options) => withdraw.mutate(invitation.id, options)}
      onDone={done}
      onClose={onClose}
    />
  );
}
