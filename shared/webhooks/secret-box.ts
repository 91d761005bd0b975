import { fromBase64, toBase64 } from "./base64.ts";

/** Keeps webhook secrets unreadable in the database: AES-GCM with 256 bits, by keys that it never sees. */
export interface SecretBox {
  /** @param owner the endpoint's id. A ciphertext that is moved to another endpoint cannot be opened. */
  seal(secret: string, owner: string): Promise<string>;
  /** @throws when no key opens it: it was sealed by a key that is gone, for another owner, or changed since. */
  open(sealed: string, owner: string): Promise<string>;
}

const version = "v1.";
const ivBytes = 12;
const keyBytes = 32;

/** A new key, as `createSecretBox` takes it. */
export function generateSecretsKey(): string {
  return toBase64(crypto.getRandomValues(new Uint8Array(keyBytes)));
}

/**
 * @param keys 32 bytes in base64, or several such, separated by commas: the first seals, each opens. To change the key,
 *   put the new one in front.
 * @throws when one of them is not 32 bytes in base64.
 */
export function createSecretBox(keys: string): SecretBox {
  const imported = keys.split(",").map((key) => importKey(key.trim()));
  // Importing fails long before anybody waits for it; whoever uses the box then hears of it.
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
          // Perhaps the next key.
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
