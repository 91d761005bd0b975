import { AuthClient } from "@supabase/auth-js";
import type { DashboardConfig } from "../../../shared/dashboard/config.ts";
import { type LinkProblem, linkProblemOf, refusedLink } from "./link-problem.ts";
import { takeSignInLink } from "./sign-in-link.ts";

/** Who is signed in, or why nobody is. */
export type SessionState =
  | { status: "starting" }
  | { status: "signed-out"; because?: "ended" | "signed-out"; linkProblem?: LinkProblem }
  | { status: "signed-in"; userId: string; email: string };

/** The sign-in of this browser. It is no part of React, so that requests can ask it for a token anywhere. */
export interface Session {
  state(): SessionState;
  subscribe(listener: () => void): () => void;
  /** An access token that still runs, or undefined when nobody is signed in. */
  accessToken(): Promise<string | undefined>;
  /** Mails a link. @throws when it could not be sent. */
  sendLink(email: string): Promise<void>;
  /** Ends the session, here and on the server. @throws when the server was not reached. */
  signOut(scope: "local" | "global"): Promise<void>;
  /** The server said that the session has ended. */
  ended(): Promise<void>;
}

/** Where supabase-js's part for sign-in keeps the session's tokens, in localStorage. */
const storageKey = "funding-dashboard-session";

/**
 * Starts the sign-in: a link in the page's address is used up and signs in, else the session of the last visit goes on.
 */
export function startSession(config: DashboardConfig): Session {
  const auth = new AuthClient({
    url: `${config.supabase_url}/auth/v1`,
    headers: { apikey: config.supabase_key, Authorization: `Bearer ${config.supabase_key}` },
    storageKey,
    persistSession: true,
    autoRefreshToken: true,
    // The link's token is taken out of the address before anything else is done: see sign-in-link.ts.
    detectSessionInUrl: false,
  });
  const listeners = new Set<() => void>();
  let state: SessionState = { status: "starting" };
  const become = (next: SessionState) => {
    state = next;
    for (const listener of listeners) listener();
  };

  const redeemLink = async (): Promise<boolean> => {
    const link = takeSignInLink();
    if (link === undefined) return false;
    if ("refusal" in link) {
      become({ status: "signed-out", linkProblem: refusedLink(config.sign_in) });
      return true;
    }
    become({ status: "starting" });
    const { error } = await auth.verifyOtp({ type: "email", token_hash: link.tokenHash });
    if (error !== null) become({ status: "signed-out", linkProblem: linkProblemOf(error, config.sign_in) });
    return true;
  };

  const resume = async () => {
    const { data } = await auth.getSession();
    if (data.session === null) become({ status: "signed-out" });
    else become(signedIn(data.session.user));
  };

  auth.onAuthStateChange((event, session) => {
    if (event === "SIGNED_IN" && session !== null) become(signedIn(session.user));
    if (event === "SIGNED_OUT" && state.status === "signed-in") become({ status: "signed-out", because: "ended" });
  });
  // A link that is opened in a tab where the dashboard is already changes the fragment alone.
  addEventListener("hashchange", () => void redeemLink());
  // Going back to a page that the browser kept must not show what a sign-out has ended.
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted) void resume();
  });
  void redeemLink().then((wasLink) => (wasLink ? undefined : resume()));

  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async accessToken() {
      const { data, error } = await auth.getSession();
      if (error !== null) throw error;
      return data.session?.access_token;
    },
    async sendLink(email) {
      const { error } = await auth.signInWithOtp({ email, options: { emailRedirectTo: `${location.origin}/` } });
      if (error !== null) throw error;
    },
    async signOut(scope) {
      const { error } = await auth.signOut({ scope });
      if (error !== null) throw error;
      become({ status: "signed-out", because: "signed-out" });
    },
    async ended() {
      localStorage.removeItem(storageKey);
      await auth.signOut({ scope: "local" }).catch(() => undefined);
      become({ status: "signed-out", because: "ended" });
    },
  };
}

function signedIn({ id, email }: { id: string; email?: string | undefined }): SessionState {
  return { status: "signed-in", userId: id, email: email ?? "" };
}
