import type { DashboardConfig } from "../../../shared/dashboard/config.ts";

/** Why a sign-in link did not sign in, in words for who opened it. */
export interface LinkProblem {
  title: string;
  advice: string;
}

const newLink = {
  link: "Get a new one as described below.",
  mail: "Ask for a new one below.",
};

/** A refusal by Supabase Auth, which does not tell used links from old ones; the embedded sign-in does, in its message. */
export function linkProblemOf(
  error: { message: string; status?: number | undefined; code?: string | undefined },
  signIn: DashboardConfig["sign_in"],
): LinkProblem {
  if (error.status === undefined || error.status === 0 || error.status >= 500) {
    return {
      title: "The sign-in could not be reached",
      advice: "Nothing was used up. Open the link again in a moment.",
    };
  }
  if (signIn === "mail") return refusedLink(signIn);
  if (error.message.includes("used already")) {
    return { title: "This link was used already", advice: `A link signs in once. ${newLink.link}` };
  }
  if (error.message.includes("expired")) {
    return { title: "This link has expired", advice: `A link works for an hour. ${newLink.link}` };
  }
  return { title: "This link is not valid", advice: `It may have been cut short. ${newLink.link}` };
}

/** What is said of a link that is refused without a reason. */
export function refusedLink(signIn: DashboardConfig["sign_in"]): LinkProblem {
  return { title: "This link has expired or was used already", advice: newLink[signIn] };
}
