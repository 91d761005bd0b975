/**
 * Text that looks like a secret: API keys, secret addresses, tokens that unsubscribe, webhook secrets, keys of Supabase, Stripe
 * and OpenAI, JSON web tokens, and bearer tokens. The prefix, which tells the kind, is kept.
 */
const secrets =
  /(fo_(?:live|feed|mail)_|whsec_|sb_secret_|\b[sr]k_(?:live|test)_|\bsk-|\beyJ|\bBearer +)[\w.~+/=%-]{8,}/gi;

/** The password in a URL. */
const passwords = /(:\/\/[^\s/:@"]*:)[^\s/@"]+(?=@)/g;

/**
 * Removes the secrets from a text. Our own code logs none; this catches secrets that a client wrote in the wrong
 * place (`?api_key=...`, a path, its request id) and secrets that a library repeats in an error.
 */
export function redact(text: string): string {
  return text.replaceAll(secrets, "$1…").replaceAll(passwords, "$1…");
}

/** Whether a text contains a secret. */
export function hasSecret(text: string): boolean {
  return redact(text) !== text;
}
