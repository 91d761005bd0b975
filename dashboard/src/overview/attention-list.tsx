import { Link } from "wouter";
import { useAccount, useKeys, useUsage } from "../api/account.ts";
import { useWebhooks } from "../api/webhooks.ts";
import { Button } from "../components/button.tsx";
import { Icon } from "../components/icon.tsx";
import { findAttention } from "./attention.ts";
import "./attention.css";

const listed = new Intl.ListFormat("en-US", { type: "conjunction" });

/** List of the things that need the account's owner, with what could not be checked; or a note that nothing does. */
export function AttentionList() {
  const parts = { quota: useAccount(), keys: useKeys(), webhooks: useWebhooks(), "error rates": useUsage() };
  const known = {
    account: parts.quota.data,
    keys: parts.keys.data,
    webhooks: parts.webhooks.data,
    usage: parts["error rates"].data,
  };
  const found = findAttention(known);
  const unchecked = Object.entries(parts).filter(({ 1: { data } }) => data === undefined);
  const failed = unchecked.filter(({ 1: { isError } }) => isError);
  const isChecking = unchecked.length > failed.length;
  // The needs of an account without access are shown already.
  if (known.account?.api_access === false && found.length === 0 && failed.length === 0) return null;
  return (
    <section className="attention" aria-label="Needs attention">
      {failed.length > 0 && (
        <p className="attention-item attention-warning">
          <Icon name="warning" />
          <span>
            <strong>Not checked: {listed.format(failed.map(([name]) => name))}.</strong>{" "}
            <span className="attention-detail">The request failed.</span>
          </span>
          <Button look="quiet" onClick={() => failed.forEach(({ 1: { refetch } }) => void refetch())}>
            Try again
          </Button>
        </p>
      )}
      {found.length > 0 ? (
        <ul>
          {found.map(({ tone, title, detail, href, action }) => (
            <li key={`${title} ${href}`} className={`attention-item attention-${tone}`}>
              <Icon name="warning" />
              <p>
                <strong>{title}.</strong> <span className="attention-detail">{detail}</span>
              </p>
              <Link href={href}>{action}</Link>
            </li>
          ))}
        </ul>
      ) : isChecking ? (
        <p className="attention-item attention-none muted">Checking webhooks, keys, quota and error rates…</p>
      ) : (
        failed.length === 0 && (
          <p className="attention-item attention-none">
            <Icon name="check" />
            <span>
              <strong>Nothing needs you.</strong>{" "}
              <span className="muted">Webhooks, keys, quota and error rates are fine.</span>
            </span>
          </p>
        )
      )}
    </section>
  );
}
