import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SignInTokenError, verifySignInToken } from "../../../functions/account-api/sign-in-token.ts";

const user = crypto.randomUUID();
const session = crypto.randomUUID();
const secret = "a-shared-secret-of-an-older-project-0123456789";

interface Pair {
  privateKey: CryptoKey;
  publicKey: JWK;
}

async function newPair(algorithm: string): Promise<Pair> {
  const { privateKey, publicKey } = await generateKeyPair(algorithm, { extractable: true });
  return { privateKey, publicKey: { ...(await exportJWK(publicKey)), kid: crypto.randomUUID(), alg: algorithm } };
}

function sign(algorithm: string, key: CryptoKey | Uint8Array, issuer: string, kid?: string, claims: JWTPayload = {}) {
  return new SignJWT({ role: "authenticated", session_id: session, ...claims })
    .setProtectedHeader({ alg: algorithm, ...(kid === undefined ? {} : { kid }) })
    .setIssuer(issuer)
    .setSubject(user)
    .setAudience("authenticated")
    .setExpirationTime("5m")
    .sign(key);
}

const signPair = (pair: Pair, issuer: string) =>
  sign(pair.publicKey.alg ?? "", pair.privateKey, issuer, pair.publicKey.kid);
const bySecret = (issuer: string, text = secret) => sign("HS256", new TextEncoder().encode(text), issuer);
const variables = (values: Record<string, string>) => (name: string) => values[name];
const signedIn = { user_id: user, session_id: session };
const issuer = "https://project.example/auth/v1";
const inline = { SUPABASE_URL: "https://project.example" };

let ec: Pair;
let rsa: Pair;
beforeAll(async () => {
  [ec, rsa] = [await newPair("ES256"), await newPair("RS256")];
});

describe("a token is verified", () => {
  test.each(["as an object", "as a list"])("by the public keys that are given %s", async (form) => {
    const keys = [ec.publicKey, rsa.publicKey];
    const given = variables({ ...inline, SUPABASE_JWKS: JSON.stringify(form === "as a list" ? keys : { keys }) });
    expect(await verifySignInToken(await signPair(ec, issuer), given)).toEqual(signedIn);
    expect(await verifySignInToken(await signPair(rsa, issuer), given)).toEqual(signedIn);
  });

  test("by the secret, where there is one", async () => {
    expect(await verifySignInToken(await bySecret(issuer), variables({ ...inline, AUTH_JWT_SECRET: secret }))).toEqual(
      signedIn,
    );
  });

  test("by either, while a project changes over", async () => {
    const both = variables({
      ...inline,
      AUTH_JWT_SECRET: secret,
      SUPABASE_JWKS: JSON.stringify({ keys: [ec.publicKey] }),
    });
    expect(await verifySignInToken(await bySecret(issuer), both)).toEqual(signedIn);
    expect(await verifySignInToken(await signPair(ec, issuer), both)).toEqual(signedIn);
  });

  test("for the issuer that AUTH_ISSUER names", async () => {
    const own = variables({ ...inline, AUTH_ISSUER: "https://auth.example", AUTH_JWT_SECRET: secret });
    expect(await verifySignInToken(await bySecret("https://auth.example"), own)).toEqual(signedIn);
    await expect(verifySignInToken(await bySecret(issuer), own)).rejects.toThrow(SignInTokenError);
  });
});

describe("a token is refused", () => {
  const jwks = (...keys: JWK[]) => JSON.stringify({ keys });
  test("that is signed with HS256 where no secret is set", async () => {
    const keysAlone = variables({ ...inline, SUPABASE_JWKS: jwks(ec.publicKey) });
    await expect(verifySignInToken(await bySecret(issuer), keysAlone)).rejects.toThrow(SignInTokenError);
    await expect(verifySignInToken(await bySecret(issuer, "undefined"), keysAlone)).rejects.toThrow(SignInTokenError);
  });

  test("that is signed with another secret, or with a public key for one", async () => {
    const both = variables({ ...inline, AUTH_JWT_SECRET: secret, SUPABASE_JWKS: jwks(ec.publicKey) });
    for (const wrong of ["another", JSON.stringify(ec.publicKey), jwks(ec.publicKey)]) {
      await expect(verifySignInToken(await bySecret(issuer, wrong), both)).rejects.toThrow(SignInTokenError);
    }
  });

  test("that names a key which is not there", async () => {
    const given = variables({ ...inline, SUPABASE_JWKS: jwks(rsa.publicKey) });
    await expect(verifySignInToken(await signPair(ec, issuer), given)).rejects.toThrow(SignInTokenError);
  });

  test.each([
    { role: "service_role" },
    { role: "anon" },
    { role: undefined },
    { is_anonymous: true },
    { session_id: "1" },
    { sub: "1" },
  ])("that says %j", async (claims) => {
    const given = variables({ ...inline, AUTH_JWT_SECRET: secret });
    const token = await new SignJWT({ role: "authenticated", session_id: session, sub: user, ...claims })
      .setProtectedHeader({ alg: "HS256" })
      .setIssuer(issuer)
      .setAudience("authenticated")
      .setExpirationTime("5m")
      .sign(new TextEncoder().encode(secret));
    await expect(verifySignInToken(token, given)).rejects.toThrow(SignInTokenError);
  });
});

describe("public keys at the issuer's address", () => {
  let server: Server;
  let origin: string;
  let fetched = 0;
  let status = 200;
  beforeAll(async () => {
    server = createServer((request, response) => {
      fetched += 1;
      response.writeHead(request.url === "/auth/v1/.well-known/jwks.json" ? status : 404);
      response.end(JSON.stringify({ keys: [ec.publicKey] }));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  test("that cannot be had are no fault of the token's", async () => {
    status = 500;
    const error = await verifySignInToken(
      await signPair(ec, `${origin}/auth/v1`),
      variables({ SUPABASE_URL: origin }),
    ).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Error);
    expect(error).not.toBeInstanceOf(SignInTokenError);
    status = 200;
  });

  test("are fetched once for many tokens", async () => {
    fetched = 0;
    const given = variables({ SUPABASE_URL: origin });
    for (let request = 0; request < 5; request++) {
      expect(await verifySignInToken(await signPair(ec, `${origin}/auth/v1`), given)).toEqual(signedIn);
    }
    expect(fetched).toBe(1);
  });
});
