import { useEffect } from "react";
import { useLocation } from "wouter";
import { useMemberships } from "../api/members.ts";
import { SelectField } from "../components/field.tsx";
import { useToast } from "../components/toasts.tsx";
import { useChosenAccount } from "./chosen-account.tsx";
import "./switcher.css";

/** Chooses the account that the dashboard shows. Nothing where the user is in one alone. */
export function AccountSwitcher() {
  const { data } = useMemberships();
  const { accountId, choose } = useChosenAccount();
  const [location, navigate] = useLocation();
  if (data === undefined || data.memberships.length < 2) return null;
  const own = data.memberships.find(({ is_own }) => is_own)?.account_id ?? "";
  return (
    <div className="account-switcher">
      <SelectField
        label="Account"
        options={data.memberships.map(({ account_id, email, is_own }) => [
          account_id,
          is_own ? `${email} (your own)` : email,
        ])}
        value={accountId ?? own}
        onChange={({ target }) => {
          // A webhook or a request of one account is not in the other.
          navigate(`/${location.split("/")[1] ?? ""}`);
          choose(target.value === own ? undefined : target.value);
        }}
      />
    </div>
  );
}

/** Shows the user's own account once they are no member of the chosen one any more. */
export function ChosenAccountGuard() {
  const { data } = useMemberships();
  const { accountId, choose } = useChosenAccount();
  const toast = useToast();
  const isGone =
    accountId !== undefined &&
    data !== undefined &&
    !data.memberships.some(({ account_id }) => account_id === accountId);
  useEffect(() => {
    if (!isGone) return;
    toast({ title: "You are not in that account any more", description: "This is your own account.", type: "bad" });
    choose(undefined);
  }, [isGone, choose, toast]);
  return null;
}
