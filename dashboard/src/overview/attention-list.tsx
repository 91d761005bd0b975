import { Link } from "wouter";
import { useAccount, useKeys, useUsage } from "../api/account.ts";
import { useWebhooks } from "../api/webhooks.ts";
import { Icon } from "../components/icon.tsx";
import { findAttention } from "./attention.ts";
import "./attention.css";

/** List of the things that need the account's owner, or a note that nothing does. Empty as long as that is not known. */
export function AttentionList() {
  const [account, keys, webhooks, usage] = [useAccount().data, useKeys().data, useWebhooks().data, useUsage().data];
  const isKnown = account && keys && webhooks && usage;
  const found = isKnown ? findAttention({ account, keys, webhooks, usage }) : [];
  // The needs of an account without access are shown already.
  if (account?.api_access === false && found.length === 0) return null;
  return (
    <section className="attention" aria-label="Needs attention">
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
      ) : (
        <p className="attention-item attention-none">
          <Icon name="check" />
          {isKnown ? (
            <span>
              <strong>Nothing needs you.</strong>{" "}
              <span className="muted">Webhooks, keys, quota and error rates are fine.</span>
            </span>
          ) : (
            <span className="muted">Checking webhooks, keys, quota and error rates…</span>
          )}
        </p>
      )}
    </section>
  );
}
