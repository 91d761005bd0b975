import { hashKey, isWellFormedKey } from "../../shared/auth/key.ts";
import { problemForFailure } from "../../shared/endpoint/database-failures.ts";
import type { RoutePattern } from "../../shared/endpoint/handler.ts";
import type { RequestContext } from "../../shared/endpoint/request-context.ts";
import { requestDatabase } from "../../shared/endpoint/request-database.ts";
import { respondAnswer, respondProblem } from "../../shared/endpoint/respond.ts";
import { escapeHtml } from "../../shared/http/escape-html.ts";
import type { Runtime } from "../../shared/runtime.ts";

export interface UnsubscribeRoute extends RoutePattern {
  path: "/{token}/unsubscribe";
}

/** The page that a mail links to, and the request that its button and mail programs send (RFC 8058). */
export const unsubscribeRoutes: readonly UnsubscribeRoute[] = [
  { method: "GET", path: "/{token}/unsubscribe" },
  { method: "POST", path: "/{token}/unsubscribe" },
];

export function isUnsubscribeRoute(route: RoutePattern): route is UnsubscribeRoute {
  return route.path === "/{token}/unsubscribe";
}

/**
 * Answers with a page, in HTML. A GET asks and changes nothing: programs that check mails fetch the links in them. A POST ends the digest,
 * whatever its body: mail programs send `List-Unsubscribe=One-Click`, a browser an empty form. Doing it again is not an error.
 */
export async function respondUnsubscribe(
  context: RequestContext,
  { method }: UnsubscribeRoute,
  token: string,
  runtime: Runtime,
): Promise<Response> {
  if (!isWellFormedKey(token, "fo_mail_")) return respondPage(context, unknownLink);
  if (method === "GET") return respondPage(context, question);
  const token_hash = await hashKey(token);
  const outcome = await requestDatabase(context, runtime, token_hash).call("unsubscribe_digest", { token_hash });
  if (outcome.ok) return respondPage(context, unsubscribed(outcome.value.name));
  if (outcome.failure.code === "PT404") return respondPage(context, unknownLink);
  const { problem } = problemForFailure(outcome.failure, new Date());
  if (problem.name === "server-error") context.error = `${outcome.failure.code} ${outcome.failure.message}`;
  return respondProblem(context, problem);
}

interface UnsubscribePage {
  title: string;
  text: string;
  hasButton?: boolean;
  isUnknown?: boolean;
}

const question: UnsubscribePage = {
  title: "Unsubscribe?",
  text: "Stop the e-mails about this saved search. The search itself stays.",
  hasButton: true,
};

const unsubscribed = (name: string): UnsubscribePage => ({
  title: "You are unsubscribed",
  text: `No more e-mails about “${name}” will be sent. To get them again, set its digest in the dashboard.`,
});

const unknownLink: UnsubscribePage = {
  title: "This link has expired",
  text: "The saved search was deleted, or the e-mail is too old. Use the link of a later e-mail, or turn the digest off in the dashboard.",
  isUnknown: true,
};

/** A form in a page without an action is sent to the page's own address. Only that may be done here: the page loads nothing and is in no frame. */
const pagePolicy = "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'";

function respondPage(context: RequestContext, { isUnknown = false, ...page }: UnsubscribePage): Promise<Response> {
  if (isUnknown) context.problem = "not-found";
  return respondAnswer(context, {
    status: isUnknown ? 404 : 200,
    text: writePage(page),
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": pagePolicy,
      "Cache-Control": "no-store",
    },
  });
}

function writePage({ title, text, hasButton = false }: UnsubscribePage): string {
  return [
    "<!doctype html>",
    `<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title>`,
    '<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><meta name="robots" content="noindex"></head>',
    '<body style="font: 1rem/1.5 system-ui, sans-serif; max-width: 32em; margin: 4em auto; padding: 0 1em">',
    `<main><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p>`,
    ...(hasButton
      ? ['<form method="post"><button style="font: inherit; padding: 0.5em 1em">Unsubscribe</button></form>']
      : []),
    "</main></body></html>",
    "",
  ].join("\n");
}
