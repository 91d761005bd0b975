import { createHash, createHmac, pbkdf2Sync, randomBytes, timingSafeEqual } from "node:crypto";

/** The only SASL mechanism offered. Without TLS there is no channel to bind. */
export const scramMechanism = "SCRAM-SHA-256";

/** Postgres' default. The password is random, so more iterations would only slow clients down. */
const iterations = 4096;

/** Verifier of a password. Neither the password nor a client's proof can be computed from it. */
export interface ScramVerifier {
  salt: Buffer;
  storedKey: Buffer;
  serverKey: Buffer;
}

/** The client's message does not follow the mechanism. */
export class ScramError extends Error {}

/** @param password printable ASCII, which SASLprep leaves as it is. */
export function createScramVerifier(password: string): ScramVerifier {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, iterations, 32, "sha256");
  const storedKey = createHash("sha256").update(hmac(salted, "Client Key")).digest();
  return { salt, storedKey, serverKey: hmac(salted, "Server Key") };
}

/** The server's side of one SCRAM-SHA-256 exchange, RFC 5802 and 7677. */
export class ScramExchange {
  #header = "";
  #clientFirst = "";
  #serverFirst = "";
  #nonce = "";

  constructor(private readonly verifier: ScramVerifier) {}

  /**
   * @param message `n,,n=USER,r=NONCE`. The user's name in it is ignored: the startup packet has it.
   * @returns the server's first message.
   * @throws {ScramError}
   */
  begin(message: string): string {
    const [, header, bare, nonce] = /^([ny],,)(n=[^,]*,r=([\x21-\x2b\x2d-\x7e]+)(?:,.*)?)$/s.exec(message) ?? [];
    if (header === undefined || bare === undefined || nonce === undefined) {
      throw new ScramError("The client's first message is not one of SCRAM without channel binding.");
    }
    this.#header = header;
    this.#clientFirst = bare;
    this.#nonce = nonce + randomBytes(18).toString("base64");
    this.#serverFirst = `r=${this.#nonce},s=${this.verifier.salt.toString("base64")},i=${iterations}`;
    return this.#serverFirst;
  }

  /**
   * @param message `c=HEADER,r=NONCE,p=PROOF`.
   * @returns the server's last message, which proves that it knows the verifier, or undefined if the password is wrong.
   * @throws {ScramError}
   */
  finish(message: string): string | undefined {
    const [, withoutProof, header, nonce, proofText] = /^(c=([^,]+),r=([^,]+)(?:,.*)?),p=([^,]+)$/s.exec(message) ?? [];
    const proof = Buffer.from(proofText ?? "", "base64");
    const isOurs = nonce === this.#nonce && header === Buffer.from(this.#header).toString("base64");
    if (withoutProof === undefined || !isOurs || proof.length !== this.verifier.storedKey.length) {
      throw new ScramError("The client's last message does not belong to this SCRAM exchange.");
    }
    const transcript = `${this.#clientFirst},${this.#serverFirst},${withoutProof}`;
    const clientKey = xor(proof, hmac(this.verifier.storedKey, transcript));
    const storedKey = createHash("sha256").update(clientKey).digest();
    if (!timingSafeEqual(storedKey, this.verifier.storedKey)) return undefined;
    return `v=${hmac(this.verifier.serverKey, transcript).toString("base64")}`;
  }
}

/** Text is encoded as Latin-1, in which the client's bytes were decoded, so each byte stays the same. */
function hmac(key: Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text, "latin1").digest();
}

function xor(left: Buffer, right: Buffer): Buffer {
  return Buffer.from(left.map((byte, index) => byte ^ (right[index] ?? 0)));
}
