/** Parameters of a sign-in link. */
export interface SignInLink {
  tokenHash: string;
  /** Value of the request that the link was mailed for (see link-request.ts). Null in a printed link. */
  request: string | null;
}

/** A sign-in link in the page's address, or "refused" if the address says that the link was refused. */
export type LinkInAddress = SignInLink | "refused";

/** Parses a sign-in link; undefined for any other address. */
export function readSignInLink({ hash, search }: Pick<URL, "hash" | "search">): LinkInAddress | undefined {
  const fragment = new URLSearchParams(hash.slice(1));
  const isSignInAddress = ["token_hash", "error_description", "access_token", "refresh_token"].some((name) =>
    fragment.has(name),
  );
  if (!isSignInAddress) return undefined;
  const tokenHash = fragment.get("token_hash");
  if (tokenHash === null) return "refused";
  return { tokenHash, request: new URLSearchParams(search).get("request") };
}

/**
 * Reads the sign-in link in the page's address, and removes it from the address and the browser's history: nobody who sees
 * the screen, the history or a shared address can sign in with it. Returns undefined for any other address.
 */
export function takeSignInLink(): LinkInAddress | undefined {
  const link = readSignInLink(location);
  if (link !== undefined) history.replaceState(null, "", location.pathname);
  return link;
}
