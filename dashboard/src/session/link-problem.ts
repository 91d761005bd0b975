import type { DashboardConfig } from "../../../shared/dashboard/config.ts";

/** Why a sign-in link failed, in words for the user. */
export interface LinkProblem {
  title: string;
  advice: string;
}

const newLink = {
  link: "Get a new one as described below.",
  mail: "Ask for a new one below.",
};

/** Explains a refused link. Only the embedded sign-in distinguishes used from expired links, in its message. */
export function linkProblemOf(
  error: { message: string; status?: number | undefined; code?: string | undefined },
  signIn: DashboardConfig["sign_in"],
): LinkProblem {
  if (error.status === undefined || error.status === 0 || error.status >= 500) {
    return {
      title: "The sign-in service could not be reached",
      advice: "The link was not used. Open it again in a moment.",
    };
  }
  if (signIn === "mail") return refusedLink(signIn);
  if (error.message.includes("used already")) {
    return { title: "This link was used already", advice: `A link works once. ${newLink.link}` };
  }
  if (error.message.includes("expired")) {
    return { title: "This link has expired", advice: `A link works for an hour. ${newLink.link}` };
  }
  return { title: "This link is not valid", advice: `It may be incomplete. ${newLink.link}` };
}

/** Explanation for a link that was refused without a reason. */
export function refusedLink(signIn: DashboardConfig["sign_in"]): LinkProblem {
  return { title: "This link has expired or was used already", advice: newLink[signIn] };
}
