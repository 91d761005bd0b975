import { AuthClient, type Session as AuthSession } from "@supabase/auth-js";
import type { DashboardConfig } from "../../../shared/dashboard/config.ts";
import { type LinkProblem, linkProblemOf, refusedLink } from "./link-problem.ts";
import { forgetLinkRequest, isOwnRequest, rememberLinkRequest } from "./link-request.ts";
import { type LinkInAddress, type SignInLink, takeSignInLink } from "./sign-in-link.ts";

/** The signed-in user. */
export interface SignedInUser {
  userId: string;
  email: string;
}

/** State of the sign-in. */
export type SessionState =
  | { status: "starting" }
  | { status: "signed-out"; because?: "ended" | "signed-out"; linkProblem?: LinkProblem }
  | OpenedLink
  | ({ status: "signed-in" } & SignedInUser);

/** A link was opened, and the user is asked whether to sign in with it. If `linkProblem` is set, it was refused. */
export interface OpenedLink {
  status: "link-opened";
  /** The user who is signed in now, and whom the link would sign out. */
  current?: SignedInUser | undefined;
  linkProblem?: LinkProblem;
  /** Whether the sign-in is in progress. */
  isBusy: boolean;
}

/** Session of this browser. It lives outside React, so that any request can ask it for a token. */
export interface Session {
  state(): SessionState;
  subscribe(listener: () => void): () => void;
  /** A valid access token, or undefined when nobody is signed in. */
  accessToken(): Promise<string | undefined>;
  /** Signs in with the opened link, instead of the current user. */
  redeemLink(): Promise<void>;
  /** Discards the opened link without using it. */
  dismissLink(): Promise<void>;
  /** Mails a link. @throws when it could not be sent. */
  sendLink(email: string): Promise<void>;
  /** Ends the session, here and on the server. @throws when the server was not reached. */
  signOut(scope: "local" | "global"): Promise<void>;
  /**
   * Reports that the server refused an access token; undefined when there was no token to send. Returns the token of the
   * same user's session that has taken its place meanwhile, if there is one. Shows another user's session, if that has taken
   * its place. Otherwise ends the session.
   */
  refused(accessToken: string | undefined): Promise<string | undefined>;
}

/** Key in localStorage where supabase-js keeps the session's tokens. */
const storageKey = "funding-dashboard-session";

/**
 * Starts the session, resuming that of the last visit. A link that the page was opened with signs in without a question only
 * if this browser asked for it and nobody is signed in. Any other link may be an attacker's, for an account of the attacker's.
 */
export function startSession(config: DashboardConfig, openedWith: LinkInAddress | undefined): Session {
  const auth = new AuthClient({
    url: `${config.supabase_url}/auth/v1`,
    headers: { apikey: config.supabase_key, Authorization: `Bearer ${config.supabase_key}` },
    storageKey,
    persistSession: true,
    autoRefreshToken: true,
    // The link's token has already been taken out of the address: see sign-in-link.ts.
    detectSessionInUrl: false,
  });
  const listeners = new Set<() => void>();
  let state: SessionState = { status: "starting" };
  const setState = (next: SessionState) => {
    state = next;
    for (const listener of listeners) listener();
  };

  let link: SignInLink | undefined;
  /** Session of the last event. The event of another tab can come before the store shows that tab's session. */
  let announced: AuthSession | null = null;

  const currentUser = async (): Promise<SignedInUser | undefined> => {
    const { data } = await auth.getSession();
    return data.session === null ? undefined : userOf(data.session.user);
  };

  const resume = async () => {
    const user = await currentUser();
    setState(user === undefined ? { status: "signed-out" } : { status: "signed-in", ...user });
  };

  const refuseLink = (linkProblem: LinkProblem, current: SignedInUser | undefined) =>
    setState(
      current === undefined
        ? { status: "signed-out", linkProblem }
        : { status: "link-opened", current, linkProblem, isBusy: false },
    );

  const openLink = async (opened: LinkInAddress) => {
    const current = await currentUser();
    if (opened === "refused") return refuseLink(refusedLink(config.sign_in), current);
    link = opened;
    if (current === undefined && isOwnRequest(localStorage, opened.request, Date.now())) return redeemLink();
    setState({ status: "link-opened", current, isBusy: false });
  };

  const redeemLink = async () => {
    const redeemed = link;
    if (redeemed === undefined) return;
    link = undefined;
    const shown = state.status === "link-opened" ? state.current : undefined;
    setState(state.status === "link-opened" ? { ...state, isBusy: true } : { status: "starting" });
    const before = (await auth.getSession()).data.session;
    const current = before === null ? undefined : userOf(before.user);
    // Another user has signed in since the question was shown: ask again, since nobody is signed out without a warning.
    if (current?.userId !== shown?.userId) {
      link = redeemed;
      return setState({ status: "link-opened", current, isBusy: false });
    }
    const { data, error } = await auth.verifyOtp({ type: "email", token_hash: redeemed.tokenHash });
    if (error !== null) return refuseLink(linkProblemOf(error, config.sign_in), current);
    if (data.session === null) return refuseLink(refusedLink(config.sign_in), current);
    forgetLinkRequest(localStorage);
    if (before !== null) await auth.admin.signOut(before.access_token, "local").catch(() => undefined);
    const user = userOf(data.session.user);
    // The address may name another account's webhook.
    if (current !== undefined && current.userId !== user.userId) history.replaceState(null, "", "/");
    setState({ status: "signed-in", ...user });
  };

  auth.onAuthStateChange((event, session) => {
    announced = session;
    const user = session === null ? undefined : userOf(session.user);
    if (state.status === "link-opened") {
      // Another tab has signed in or out: keep the question, and update the current user.
      if (!state.isBusy && ["SIGNED_IN", "SIGNED_OUT"].includes(event)) setState({ ...state, current: user });
      return;
    }
    if (event === "SIGNED_IN" && user !== undefined) setState({ status: "signed-in", ...user });
    if (event === "SIGNED_OUT" && state.status === "signed-in") setState({ status: "signed-out", because: "ended" });
  });
  // Opening a link in a tab that already shows the dashboard changes only the fragment.
  addEventListener("hashchange", () => {
    const opened = takeSignInLink();
    if (opened !== undefined) void openLink(opened);
  });
  // A page restored from the back/forward cache must not show a session that has ended since.
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted) void resume();
  });
  void (openedWith === undefined ? resume() : openLink(openedWith));

  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    redeemLink,
    async dismissLink() {
      link = undefined;
      await resume();
    },
    async accessToken() {
      const { data, error } = await auth.getSession();
      if (error !== null) throw error;
      // Never one account's token under another's name.
      const shown = state.status === "signed-in" ? state.userId : undefined;
      const isLate = data.session?.user.id !== shown && announced !== null && announced.user.id === shown;
      return (isLate ? announced : data.session)?.access_token;
    },
    async sendLink(email) {
      const request = rememberLinkRequest(localStorage, Date.now());
      const emailRedirectTo = `${location.origin}/?request=${request}`;
      const { error } = await auth.signInWithOtp({ email, options: { emailRedirectTo } });
      if (error !== null) throw error;
    },
    async signOut(scope) {
      const { error } = await auth.signOut({ scope });
      if (error !== null) throw error;
      setState({ status: "signed-out", because: "signed-out" });
    },
    async refused(accessToken) {
      const { data } = await auth.getSession();
      // The request may have started before somebody else signed in: then it says nothing about their session.
      const current = [data.session, announced].find((one) => one !== null && one.access_token !== accessToken);
      if (current !== null && current !== undefined) {
        if (accessToken === undefined || current.user.id === subjectOf(accessToken)) return current.access_token;
        // A request of one account is never sent with another's token.
        if (state.status === "signed-in") setState({ status: "signed-in", ...userOf(current.user) });
        return undefined;
      }
      localStorage.removeItem(storageKey);
      await auth.signOut({ scope: "local" }).catch(() => undefined);
      if (state.status === "link-opened") setState({ ...state, current: undefined });
      // A request that was under way when the user signed out changes nothing of what the page says.
      else if (state.status === "signed-in") setState({ status: "signed-out", because: "ended" });
      return undefined;
    },
  };
}

function userOf({ id, email }: { id: string; email?: string | undefined }): SignedInUser {
  return { userId: id, email: email ?? "" };
}

/** Id of the user whom an access token, a JWT, names. The server verifies tokens; this only compares them. */
function subjectOf(accessToken: string): string | undefined {
  try {
    const payload = (accessToken.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/");
    return (JSON.parse(atob(payload)) as { sub?: string }).sub;
  } catch {
    return undefined;
  }
}
