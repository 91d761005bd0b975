import { fromBase64, toBase64 } from "../encoding.ts";

const prefix = "whsec_";
const secretBytes = 32;

/** Generates a webhook's signing secret, in the form of Standard Webhooks: `whsec_` and 32 random bytes in base64. */
export function generateSecret(): string {
  return prefix + toBase64(crypto.getRandomValues(new Uint8Array(secretBytes)));
}

/** Returns the key that Standard Webhooks signs with. (`X-Service-Signature` is keyed with the secret's whole text.) */
export function standardKey(secret: string): Uint8Array<ArrayBuffer> {
  return fromBase64(secret.slice(prefix.length));
}

/** Encrypts webhook secrets for storage: AES-GCM, 256 bits. The database never has the keys. */
export interface SecretBox {
  /** @param owner the endpoint's id. A ciphertext that is moved to another endpoint cannot be opened. */
  seal(secret: string, owner: string): Promise<string>;
  /** @throws when no key opens it: its key was removed, it was sealed for another owner, or it was changed. */
  open(sealed: string, owner: string): Promise<string>;
}

const version = "v1.";
const ivBytes = 12;
const keyBytes = 32;

/** Generates a key for `createSecretBox`. */
export function generateSecretsKey(): string {
  return toBase64(crypto.getRandomValues(new Uint8Array(keyBytes)));
}

/**
 * Creates a box with one key or several. To change the key, put the new one in front.
 *
 * @param keys 32 bytes in base64, or several such keys, separated by commas. The first seals; all of them open. A key of
 *   another form fails when it is used: `seal` throws, and `open` skips it.
 */
export function createSecretBox(keys: string): SecretBox {
  const imported = keys.split(",").map((key) => importKey(key.trim()));
  // `seal` reports a key that cannot be imported. Until then it must not count as an unhandled rejection.
  for (const key of imported) key.catch(() => undefined);
  return {
    async seal(secret, owner) {
      const iv = crypto.getRandomValues(new Uint8Array(ivBytes));
      const [first] = imported;
      if (first === undefined) throw new Error("there is no key");
      const ciphertext = await crypto.subtle.encrypt(
        algorithm(iv, owner),
        await first,
        new TextEncoder().encode(secret),
      );
      return version + toBase64(new Uint8Array([...iv, ...new Uint8Array(ciphertext)]));
    },
    async open(sealed, owner) {
      if (!sealed.startsWith(version))
        throw new Error("the secret is sealed in a form that this version does not know");
      const bytes = fromBase64(sealed.slice(version.length));
      for (const key of imported) {
        try {
          const opened = await crypto.subtle.decrypt(
            algorithm(bytes.slice(0, ivBytes), owner),
            await key,
            bytes.slice(ivBytes),
          );
          return new TextDecoder().decode(opened);
        } catch {
          // Another key may open it.
        }
      }
      throw new Error("no key opens the secret");
    },
  };
}

async function importKey(text: string): Promise<CryptoKey> {
  const bytes = fromBase64(text);
  if (bytes.length !== keyBytes) throw new Error(`a key for webhook secrets is ${keyBytes} bytes in base64`);
  return crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"]);
}

function algorithm(iv: Uint8Array<ArrayBuffer>, owner: string): AesGcmParams {
  return { name: "AES-GCM", iv, additionalData: new TextEncoder().encode(owner) };
}
