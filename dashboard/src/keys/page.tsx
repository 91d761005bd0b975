import { useState } from "react";
import { AccessCallout } from "../account/access.tsx";
import { type AccountKey, type IssuedKey, type Usage, useAccount, useKeys, useUsage } from "../api/account.ts";
import { Button } from "../components/button.tsx";
import { Card } from "../components/card.tsx";
import { Icon } from "../components/icon.tsx";
import { Loaded } from "../components/loaded.tsx";
import { useShowSecret } from "../components/secrets.tsx";
import { EmptyState } from "../components/states.tsx";
import { Page } from "../layout/page.tsx";
import { dayOf, shiftDay } from "../usage/range.ts";
import { CreateKeyDialog } from "./create-dialog.tsx";
import { IssuedKeyDialog } from "./issued-dialog.tsx";
import { LimitsDialog } from "./limits-dialog.tsx";
import { RevokeKeyDialog } from "./revoke-dialog.tsx";
import { RotateKeyDialog } from "./rotate-dialog.tsx";
import { activityDays, KeyTable } from "./table.tsx";

/** The open dialog. */
type Open = { dialog: "create" } | { dialog: "limits" | "rotate" | "revoke"; subject: AccountKey };

/** Requests by day of each key, by its id; empty until they are known. */
function activityOf(usage: Usage | undefined): ReadonlyMap<string, readonly number[]> {
  const known = usage?.keys.flatMap(({ id, requests_by_day }) =>
    requests_by_day ? [[id, requests_by_day] as const] : [],
  );
  return new Map(known);
}

/** The account's keys and their actions. */
export function KeysPage() {
  const keys = useKeys();
  const account = useAccount();
  const usage = useUsage({ from: shiftDay(dayOf(Date.now()), 1 - activityDays), include: "requests_by_day" });
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const showSecret = useShowSecret();
  const showIssued = (issued: IssuedKey) => {
    close();
    showSecret((onClose) => <IssuedKeyDialog issued={issued} onClose={onClose} />);
  };
  const create = (
    <Button look="primary" onClick={() => setOpen({ dialog: "create" })}>
      <Icon name="plus" />
      Create key
    </Button>
  );
  return (
    <Page
      title="API keys"
      description="Every request needs a key. Give each program its own, so that you can replace one without the others."
      actions={keys.data?.length ? create : undefined}
    >
      {account.data && <AccessCallout account={account.data} />}
      <Loaded query={keys}>
        {(list) =>
          list.length === 0 ? (
            <Card>
              <EmptyState icon="key" title="No keys yet" action={create}>
                Create your first key. It is shown only once.
              </EmptyState>
            </Card>
          ) : (
            <KeyTable
              keys={list}
              activity={activityOf(usage.data)}
              onLimit={(subject) => setOpen({ dialog: "limits", subject })}
              onRotate={(subject) => setOpen({ dialog: "rotate", subject })}
              onRevoke={(subject) => setOpen({ dialog: "revoke", subject })}
            />
          )
        }
      </Loaded>
      {open?.dialog === "create" && <CreateKeyDialog onClose={close} onIssued={showIssued} />}
      {open?.dialog === "limits" && <LimitsDialog subject={open.subject} onClose={close} />}
      {open?.dialog === "rotate" && <RotateKeyDialog subject={open.subject} onClose={close} onIssued={showIssued} />}
      {open?.dialog === "revoke" && <RevokeKeyDialog subject={open.subject} onClose={close} />}
    </Page>
  );
}
