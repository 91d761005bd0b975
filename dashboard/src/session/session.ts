import type { AuthChangeEvent, AuthError, Session as AuthSession, GoTrueClient } from "@supabase/auth-js";
import type { DashboardConfig } from "../../../shared/dashboard/config.ts";
import { browserStorage } from "../storage.ts";
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
  | SignInUnreachable
  | { status: "signed-out"; because?: "ended" | "signed-out"; linkProblem?: LinkProblem }
  | OpenedLink
  | ({ status: "signed-in" } & SignedInUser);

/** It is not known who is signed in: the access token has run out, and the sign-in service does not replace it. */
export interface SignInUnreachable {
  status: "unreachable";
  /** Whether another try is in progress. */
  isBusy: boolean;
}

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
  /** Asks once more who is signed in, after the sign-in service could not be reached. */
  retry(): Promise<void>;
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

/** Key in the browser's storage where supabase-js keeps the session's tokens. */
const storageKey = "funding-dashboard-session";

/**
 * Starts the session, resuming that of the last visit. A link that the page was opened with signs in without a question only
 * if this browser asked for it and nobody is signed in. Any other link may be an attacker's, for an account of the attacker's.
 */
export function startSession(config: DashboardConfig, openedWith: LinkInAddress | undefined): Session {
  const listeners = new Set<() => void>();
  let state: SessionState = { status: "starting" };
  const setState = (next: SessionState) => {
    state = next;
    for (const listener of listeners) listener();
  };

  let link: SignInLink | undefined;
  /** Link that waits until it is known who is signed in. */
  let waitingLink: LinkInAddress | undefined;
  /** Session of the last event. The event of another tab can come before the store shows that tab's session. */
  let announced: AuthSession | null = null;

  let opening: Promise<GoTrueClient> | undefined;
  /** The client of the sign-in service. Its code is loaded at the first call: most readers of a public page never sign in. */
  const openAuth = (): Promise<GoTrueClient> => {
    opening ??= import("./auth-client.ts").then(
      ({ openAuthClient }) => openAuthClient(config, storageKey, onAuthEvent),
      (error: unknown) => {
        opening = undefined;
        throw error;
      },
    );
    return opening;
  };

  /** The session that this browser keeps; without one, and before somebody signs in, nothing is loaded. */
  const storedSession = async (): Promise<{ session: AuthSession | null; error: AuthError | null }> => {
    if (opening === undefined && browserStorage.getItem(storageKey) === null) return { session: null, error: null };
    const { data, error } = await (await openAuth()).getSession();
    return { session: data.session, error };
  };

  /** @throws when it is not known who is signed in. */
  const readSession = async (): Promise<AuthSession | null> => {
    const { session, error } = await storedSession();
    if (isUnreachable(error)) throw error;
    return session;
  };

  const currentUser = async (): Promise<SignedInUser | undefined> => {
    const session = await readSession();
    return session === null ? undefined : userOf(session.user);
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
    if (current === undefined && isOwnRequest(browserStorage, opened.request, Date.now())) return redeem(opened);
    setState({ status: "link-opened", current, isBusy: false });
  };

  const redeem = async (redeemed: SignInLink) => {
    link = undefined;
    const shown = state.status === "link-opened" ? state.current : undefined;
    setState(state.status === "link-opened" ? { ...state, isBusy: true } : { status: "starting" });
    const before = await readSession();
    const current = before === null ? undefined : userOf(before.user);
    // Another user has signed in since the question was shown: ask again, since nobody is signed out without a warning.
    if (current?.userId !== shown?.userId) {
      link = redeemed;
      return setState({ status: "link-opened", current, isBusy: false });
    }
    const auth = await openAuth();
    const { data, error } = await auth.verifyOtp({ type: "email", token_hash: redeemed.tokenHash });
    if (error !== null) return refuseLink(linkProblemOf(error, config.sign_in), current);
    if (data.session === null) return refuseLink(refusedLink(config.sign_in), current);
    forgetLinkRequest(browserStorage);
    if (before !== null) await auth.admin.signOut(before.access_token, "local").catch(() => undefined);
    const user = userOf(data.session.user);
    // The address may name another account's webhook.
    if (current !== undefined && current.userId !== user.userId) history.replaceState(null, "", "/");
    setState({ status: "signed-in", ...user });
  };

  /** Shows what becomes of a link, or that the sign-in service could not be reached. The link then waits for the next try. */
  const attempt = async (opened: LinkInAddress | undefined, run: () => Promise<void>) => {
    try {
      await run();
    } catch {
      waitingLink = opened;
      setState({ status: "unreachable", isBusy: false });
    }
  };

  const begin = (opened?: LinkInAddress) => attempt(opened, () => (opened === undefined ? resume() : openLink(opened)));

  const onAuthEvent = (event: AuthChangeEvent, session: AuthSession | null) => {
    announced = session;
    const user = session === null ? undefined : userOf(session.user);
    if (state.status === "unreachable") {
      // The service answers again, here or in another tab.
      if (!state.isBusy && (user !== undefined || event === "SIGNED_OUT")) void begin(waitingLink);
      return;
    }
    if (state.status === "link-opened") {
      // Another tab has signed in or out: keep the question, and update the current user.
      if (!state.isBusy && ["SIGNED_IN", "SIGNED_OUT"].includes(event)) setState({ ...state, current: user });
      return;
    }
    // A token that is replaced tells of a session, also where it was taken for ended.
    const isSignedIn = event === "SIGNED_IN" || (event === "TOKEN_REFRESHED" && state.status === "signed-out");
    if (isSignedIn && user !== undefined) setState({ status: "signed-in", ...user });
    if (event === "SIGNED_OUT" && state.status === "signed-in") setState({ status: "signed-out", because: "ended" });
  };

  // Opening a link in a tab that already shows the dashboard changes only the fragment.
  addEventListener("hashchange", () => {
    const opened = takeSignInLink();
    if (opened !== undefined) void begin(opened);
  });
  // Another tab has signed in. A client that is open is told by that tab's client.
  addEventListener("storage", ({ key }) => {
    if (key !== storageKey || opening !== undefined) return;
    storedSession().then(
      ({ session }) => session !== null && onAuthEvent("SIGNED_IN", session),
      () => undefined,
    );
  });
  // A page restored from the back/forward cache must not show a session that has ended since.
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted) void begin();
  });
  void begin(openedWith);

  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async retry() {
      if (state.status !== "unreachable" || state.isBusy) return;
      setState({ status: "unreachable", isBusy: true });
      // A client repeats its last failure for a minute without asking the service: another one asks.
      const failed = await opening?.catch(() => undefined);
      opening = undefined;
      await failed?.dispose();
      await begin(waitingLink);
    },
    async redeemLink() {
      const redeemed = link;
      if (redeemed !== undefined) await attempt(redeemed, () => redeem(redeemed));
    },
    async dismissLink() {
      link = undefined;
      await begin();
    },
    async accessToken() {
      const { session, error } = await storedSession();
      if (error !== null) throw error;
      // Never one account's token under another's name.
      const shown = state.status === "signed-in" ? state.userId : undefined;
      const isLate = session?.user.id !== shown && announced !== null && announced.user.id === shown;
      return (isLate ? announced : session)?.access_token;
    },
    async sendLink(email) {
      const request = rememberLinkRequest(browserStorage, Date.now());
      const emailRedirectTo = `${location.origin}/?request=${request}`;
      const auth = await openAuth();
      const { error } = await auth.signInWithOtp({ email, options: { emailRedirectTo } });
      if (error !== null) throw error;
    },
    async signOut(scope) {
      const auth = await openAuth();
      const { error } = await auth.signOut({ scope });
      if (error !== null) throw error;
      setState({ status: "signed-out", because: "signed-out" });
    },
    async refused(accessToken) {
      const { session, error } = await storedSession();
      // The request may have started before somebody else signed in: then it says nothing about their session.
      const current = [session, announced].find((one) => one !== null && one.access_token !== accessToken);
      if (current !== null && current !== undefined) {
        if (accessToken === undefined || current.user.id === subjectOf(accessToken)) return current.access_token;
        // A request of one account is never sent with another's token.
        if (state.status === "signed-in") setState({ status: "signed-in", ...userOf(current.user) });
        return undefined;
      }
      // The token may only have run out: the sign-in service would have to say whether the session has ended.
      if (isUnreachable(error)) return undefined;
      browserStorage.removeItem(storageKey);
      const auth = await opening;
      await auth?.signOut({ scope: "local" }).catch(() => undefined);
      if (state.status === "link-opened") setState({ ...state, current: undefined });
      // A request that was under way when the user signed out changes nothing of what the page says.
      else if (state.status === "signed-in") setState({ status: "signed-out", because: "ended" });
      return undefined;
    },
  };
}

/** Whether an answer is missing, and the session may last: the name of auth-js's error, whose code may not be loaded. */
const isUnreachable = (error: AuthError | null) => error?.name === "AuthRetryableFetchError";

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
