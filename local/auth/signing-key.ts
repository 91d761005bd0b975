import { readFileSync } from "node:fs";
import { join } from "node:path";
import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from "jose";
import { writePrivateFile } from "../embedded/data-folder.ts";
import { deriveToken } from "./token.ts";

/** Signature algorithm of new Supabase projects. */
export const signingAlgorithm = "ES256";

/** Key pair with which the embedded sign-in signs access tokens. */
export interface SigningKey {
  privateKey: JWK;
  /** JSON Web Key Set of the public key, to verify signatures. */
  publicKeys: { keys: JWK[] };
  /** Key with which each refresh token is derived from the one before. Derived from the private key. */
  refreshSecret: string;
}

/** Generates a key pair. */
export async function generateSigningKey(): Promise<SigningKey> {
  const pair = await generateKeyPair(signingAlgorithm, { extractable: true });
  return signingKeyOf(await exportJWK(pair.privateKey));
}

/** Key pair of a data folder: generated at the first use, readable by its owner alone. */
export async function loadSigningKey(folderPath: string): Promise<SigningKey> {
  const path = join(folderPath, "auth-key.json");
  const known = readKey(path);
  if (known !== undefined) return signingKeyOf(known);
  const generated = await generateSigningKey();
  writePrivateFile(path, JSON.stringify(generated.privateKey));
  return generated;
}

/** Builds the key pair of a private key. */
export async function signingKeyOf(privateKey: JWK): Promise<SigningKey> {
  const { d, ...rest } = privateKey;
  if (d === undefined) throw new Error("the sign-in's key has no private part");
  const kid = privateKey.kid ?? (await calculateJwkThumbprint(rest));
  return {
    privateKey: { ...privateKey, kid },
    publicKeys: { keys: [{ ...rest, kid, alg: signingAlgorithm, use: "sig" }] },
    refreshSecret: deriveToken("refresh tokens", d),
  };
}

function readKey(path: string): JWK | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as JWK;
  } catch {
    return undefined;
  }
}
