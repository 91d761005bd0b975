/** What the address of a page may say of a sign-in: a token to sign in with, or why the link was refused. */
export type LinkInAddress = { tokenHash: string } | { refusal: string };

/**
 * Takes a sign-in link's token out of the page's address, and out of the browser's history, at once: nobody who sees
 * the screen, the history or a shared address can sign in with it. Undefined for any other address.
 */
export function takeSignInLink(): LinkInAddress | undefined {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const tokenHash = fragment.get("token_hash");
  const refusal = fragment.get("error_description");
  const isOfSignIn = ["token_hash", "error_description", "access_token", "refresh_token"].some((name) =>
    fragment.has(name),
  );
  if (!isOfSignIn) return undefined;
  history.replaceState(null, "", location.pathname);
  return tokenHash === null ? { refusal: refusal ?? "This link is not one that signs in here." } : { tokenHash };
}
