/**
 * Text that is a secret by its look: API keys, webhook secrets, keys of Supabase, Stripe and OpenAI, JSON web tokens,
 * and what stands behind `Bearer`. The first part says what it is, and stays.
 */
const secrets = /(fo_live_|whsec_|sb_secret_|\b[sr]k_(?:live|test)_|\bsk-|\beyJ|\bBearer +)[\w.~+/=%-]{8,}/gi;

/** The password in an address. */
const passwords = /(:\/\/[^\s/:@"]*:)[^\s/@"]+(?=@)/g;

/**
 * A text without the secrets in it. Nothing puts one where it may be read; this is for what a client wrote in the
 * wrong place (`?api_key=...`, a path, its request id), and for what a library may say in an error.
 */
export function redacted(text: string): string {
  return text.replaceAll(secrets, "$1…").replaceAll(passwords, "$1…");
}

/** Whether a text has a secret in it. */
export function holdsSecret(text: string): boolean {
  return redacted(text) !== text;
}
