/** Oldest accepted signature, in seconds. */
const toleranceSeconds = 300;

/**
 * Whether one of the secrets signed a request's body within the last five minutes.
 *
 * The package is loaded at the first event: no other function needs it.
 *
 * @param secrets the endpoint's signing secrets, several while one is being replaced.
 */
export async function isSigned(body: string, signature: string | null, secrets: readonly string[]): Promise<boolean> {
  if (signature === null) return false;
  const { default: Stripe } = await import("stripe");
  // By WebCrypto, which every runtime has.
  const provider = Stripe.createSubtleCryptoProvider();
  const verifier = Stripe.webhooks.signature;
  if (verifier === null) throw new Error("this version of the stripe package verifies no signatures");
  for (const secret of secrets) {
    try {
      return await verifier.verifyHeaderAsync(body, signature, secret, toleranceSeconds, provider);
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeSignatureVerificationError)) throw error;
    }
  }
  return false;
}
