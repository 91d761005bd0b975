// Prints the two API keys of a stack, as Supabase makes them: HS256 tokens that name a role. The secret comes from JWT_SECRET.
// Also a new key pair for users' access tokens, which Supabase Auth signs with ES256.
import { createHmac, generateKeyPairSync } from "node:crypto";

const TEN_YEARS_SECONDS = 10 * 365 * 24 * 3600;
const secret = process.env.JWT_SECRET;
if (!secret) throw new Error("JWT_SECRET is not set");

const encode = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");

function sign(role) {
  const issuedAt = Math.floor(Date.now() / 1000);
  const claims = { iss: "funding-native", role, iat: issuedAt, exp: issuedAt + TEN_YEARS_SECONDS };
  const body = `${encode({ alg: "HS256", typ: "JWT" })}.${encode(claims)}`;
  return `${body}.${createHmac("sha256", secret).update(body).digest("base64url")}`;
}

console.log(`service_role_key=${sign("service_role")}`);
console.log(`anon_key=${sign("anon")}`);

const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const { d: secretPart, ...publicPart } = privateKey.export({ format: "jwk" });
const kid = crypto.randomUUID();
console.log(`auth_signing_key='${JSON.stringify({ ...publicPart, d: secretPart, kid })}'`);
console.log(`auth_public_keys='${JSON.stringify({ keys: [{ ...publicPart, kid, alg: "ES256", use: "sig" }] })}'`);
