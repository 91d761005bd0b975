import type Stripe from "stripe";

/**
 * The event in a request's body, when one of the secrets signed it, within the last five minutes.
 *
 * The package is loaded at the first event: no other function needs it.
 *
 * @param secrets the endpoint's signing secrets, several while one is being replaced.
 * @returns undefined when the signature is missing, wrong or old.
 */
export async function verifiedEvent(
  body: string,
  signature: string | null,
  secrets: readonly string[],
): Promise<Stripe.Event | undefined> {
  if (signature === null) return undefined;
  const { default: Stripe } = await import("stripe");
  // By WebCrypto, which every runtime has.
  const provider = Stripe.createSubtleCryptoProvider();
  for (const secret of secrets) {
    try {
      return await Stripe.webhooks.constructEventAsync(body, signature, secret, undefined, provider);
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeSignatureVerificationError)) throw error;
    }
  }
  return undefined;
}
