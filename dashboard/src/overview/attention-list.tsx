import { useRef, useState } from "react";
import { Link } from "wouter";
import { useAccount, useKeys, useUsage } from "../api/account.ts";
import { useWebhooks } from "../api/webhooks.ts";
import { Button } from "../components/button.tsx";
import { Icon } from "../components/icon.tsx";
import { plural } from "../format/numbers.ts";
import { useChosenAccount } from "../members/chosen-account.tsx";
import { findAlerts, linesOf } from "./attention.ts";
import { endPutOff, putOff, readPutOff } from "./put-off.ts";
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
  const { userId, accountId } = useChosenAccount();
  const owner = `${userId} ${accountId ?? ""}`;
  const [off, setOff] = useState(() => readPutOff(owner, Date.now()));
  const section = useRef<HTMLElement>(null);
  const alerts = findAlerts(known);
  const found = linesOf(alerts.filter(({ id }) => !off.has(id)));
  const offCount = alerts.filter(({ id }) => off.has(id)).length;
  const change = (ids?: readonly string[]) => {
    if (ids === undefined) endPutOff(owner, Date.now());
    else putOff(owner, ids, Date.now());
    setOff(readPutOff(owner, Date.now()));
    // The button that was pressed has gone.
    section.current?.focus();
  };
  const unchecked = Object.entries(parts).filter(({ 1: { data } }) => data === undefined);
  const failed = unchecked.filter(({ 1: { isError } }) => isError);
  const isChecking = unchecked.length > failed.length;
  // The needs of an account without access are shown already.
  if (known.account?.api_access === false && alerts.length === 0 && failed.length === 0) return null;
  return (
    <section ref={section} className="attention" aria-label="Needs attention" tabIndex={-1}>
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
          {found.map(({ ids, tone, title, detail, href, action }) => (
            <li key={ids.join()} className={`attention-item attention-${tone}`}>
              <Icon name="warning" />
              <p>
                <strong>{title}.</strong> <span className="attention-detail">{detail}</span>
              </p>
              <Link href={href}>{action}</Link>
              <button
                type="button"
                className="link-button"
                aria-label={`Put off a day: ${title}`}
                onClick={() => change(ids)}
              >
                Put off a day
              </button>
            </li>
          ))}
        </ul>
      ) : isChecking ? (
        <p className="attention-item attention-none muted">Checking webhooks, keys, quota and error rates…</p>
      ) : (
        failed.length === 0 &&
        offCount === 0 && (
          <p className="attention-item attention-none">
            <Icon name="check" />
            <span>
              <strong>Nothing needs you.</strong>{" "}
              <span className="muted">Webhooks, keys, quota and error rates are fine.</span>
            </span>
          </p>
        )
      )}
      {offCount > 0 && (
        <p className="attention-off muted small">
          {plural(offCount, "alert")} put off for a day.{" "}
          <button type="button" className="link-button" onClick={() => change()}>
            Show again
          </button>
        </p>
      )}
    </section>
  );
}
