import { useState } from "react";
import type { Account } from "../api/account.ts";
import { explain } from "../api/errors.ts";
import { type Invitation, type Member, useChangeRole, useInvitations, useMembers } from "../api/members.ts";
import { Badge } from "../components/badge.tsx";
import { Button } from "../components/button.tsx";
import { Card } from "../components/card.tsx";
import { Icon } from "../components/icon.tsx";
import { Loaded } from "../components/loaded.tsx";
import { Menu, type MenuEntry } from "../components/menu.tsx";
import { Table } from "../components/table.tsx";
import { useToast } from "../components/toasts.tsx";
import { formatDate } from "../format/dates.ts";
import { InviteDialog, RemoveDialog, WithdrawDialog } from "./dialogs.tsx";
import { roleNames } from "./roles.ts";

/** The open dialog. */
type Open =
  | { dialog: "invite" }
  | { dialog: "remove"; member: Member }
  | { dialog: "withdraw"; invitation: Invitation };

/** Members of the account, and people invited to it. Owners change both, and everybody may leave. */
export function MembersCard({ account }: { account: Account }) {
  const members = useMembers();
  const invitations = useInvitations();
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const isOwner = account.role === "owner";
  return (
    <Card
      title="Members"
      description={
        isOwner
          ? "Members use this account’s keys, webhooks and saved searches. Owners also decide who is in it."
          : "You are a member of this account. Its owners invite and remove people."
      }
      isFlush
      actions={
        isOwner && (
          <Button onClick={() => setOpen({ dialog: "invite" })}>
            <Icon name="plus" />
            Invite
          </Button>
        )
      }
    >
      <Loaded query={members}>
        {(list) => (
          <MemberTable members={list} isOwner={isOwner} onRemove={(member) => setOpen({ dialog: "remove", member })} />
        )}
      </Loaded>
      {invitations.data !== undefined && invitations.data.length > 0 && (
        <InvitationTable
          invitations={invitations.data}
          isOwner={isOwner}
          onWithdraw={(invitation) => setOpen({ dialog: "withdraw", invitation })}
        />
      )}
      {open?.dialog === "invite" && <InviteDialog onClose={close} />}
      {open?.dialog === "remove" && <RemoveDialog member={open.member} account={account} onClose={close} />}
      {open?.dialog === "withdraw" && <WithdrawDialog invitation={open.invitation} onClose={close} />}
    </Card>
  );
}

function MemberTable({
  members,
  isOwner,
  onRemove,
}: {
  members: readonly Member[];
  isOwner: boolean;
  onRemove: (member: Member) => void;
}) {
  const change = useChangeRole();
  const toast = useToast();
  const isLastOwner = ({ role }: Member) =>
    role === "owner" && members.filter((member) => member.role === "owner").length === 1;
  const actionsOf = (member: Member): MenuEntry[] => {
    // The last owner stays what they are.
    if (isLastOwner(member)) return [];
    const role = member.role === "owner" ? "member" : "owner";
    const changeRole: MenuEntry = {
      name: role === "owner" ? "Make an owner" : "Make a member",
      icon: "edit",
      onSelect: () =>
        change.mutate(
          { id: member.id, role },
          {
            onSuccess: () => toast({ title: `${member.email} is ${role === "owner" ? "an owner" : "a member"} now` }),
            onError: (error) => toast({ title: explain(error).title, description: explain(error).advice, type: "bad" }),
          },
        ),
    };
    const remove: MenuEntry = {
      name: member.is_you ? "Leave…" : "Remove…",
      icon: member.is_you ? "out" : "revoke",
      isDangerous: true,
      onSelect: () => onRemove(member),
    };
    if (isOwner) return [changeRole, remove];
    return member.is_you ? [remove] : [];
  };
  return (
    <Table caption="Members" columns={["Member", "Role", "Since"]} hasActions>
      {members.map((member) => (
        <tr key={member.id}>
          <th scope="row" className="member-email">
            {member.email}
            {member.is_you && <span className="muted"> (you)</span>}
          </th>
          <td data-label="Role">
            <Badge tone={member.role === "owner" ? "good" : "plain"}>{roleNames[member.role]}</Badge>
          </td>
          <td data-label="Since">{formatDate(member.joined_at)}</td>
          <td className="actions">
            {actionsOf(member).length > 0 && <Menu label={`Actions for ${member.email}`} entries={actionsOf(member)} />}
          </td>
        </tr>
      ))}
    </Table>
  );
}

function InvitationTable({
  invitations,
  isOwner,
  onWithdraw,
}: {
  invitations: readonly Invitation[];
  isOwner: boolean;
  onWithdraw: (invitation: Invitation) => void;
}) {
  return (
    <Table
      caption="Open invitations"
      className="table-cards members-invited"
      columns={["Invitation", "Role", "Open until"]}
      hasActions
    >
      {invitations.map((invitation) => (
        <tr key={invitation.id}>
          <th scope="row" className="member-email">
            {invitation.email}
            <span className="muted"> (invited)</span>
          </th>
          <td data-label="Role">
            <Badge tone="plain">{roleNames[invitation.role]}</Badge>
          </td>
          <td data-label="Open until">{formatDate(invitation.expires_at)}</td>
          <td className="actions">
            {isOwner && (
              <Menu
                label={`Actions for the invitation of ${invitation.email}`}
                entries={[
                  {
                    name: "Withdraw…",
                    icon: "revoke",
                    isDangerous: true,
                    onSelect: () => onWithdraw(invitation),
                  },
                ]}
              />
            )}
          </td>
        </tr>
      ))}
    </Table>
  );
}
