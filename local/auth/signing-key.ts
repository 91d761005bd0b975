import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from "jose";
import { derivedToken } from "./token.ts";

/** The algorithm that new Supabase projects sign with. */
export const signingAlgorithm = "ES256";

/** What the embedded sign-in signs access tokens with. */
export interface SigningKey {
  privateKey: JWK;
  /** A JSON Web Key Set of the public half, for those who verify. */
  publicKeys: { keys: JWK[] };
  /** Key that refresh tokens are derived with, one from the other; made of the private key. */
  refreshSecret: string;
}

/** A new key pair. */
export async function generateSigningKey(): Promise<SigningKey> {
  const pair = await generateKeyPair(signingAlgorithm, { extractable: true });
  return signingKeyOf(await exportJWK(pair.privateKey));
}

/** The key pair of a data folder, made at the first use and readable by its owner alone. */
export async function folderSigningKey(folderPath: string): Promise<SigningKey> {
  const path = join(folderPath, "auth-key.json");
  const known = readKey(path);
  if (known !== undefined) return signingKeyOf(known);
  const made = await generateSigningKey();
  writeFileSync(`${path}.new`, JSON.stringify(made.privateKey), { mode: 0o600 });
  renameSync(`${path}.new`, path);
  return made;
}

/** The key pair of a private key. */
export async function signingKeyOf(privateKey: JWK): Promise<SigningKey> {
  const { d, ...rest } = privateKey;
  if (d === undefined) throw new Error("the sign-in's key has no private part");
  const kid = privateKey.kid ?? (await calculateJwkThumbprint(rest));
  return {
    privateKey: { ...privateKey, kid },
    publicKeys: { keys: [{ ...rest, kid, alg: signingAlgorithm, use: "sig" }] },
    refreshSecret: derivedToken("refresh tokens", d),
  };
}

function readKey(path: string): JWK | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as JWK;
  } catch {
    return undefined;
  }
}
