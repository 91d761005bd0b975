// Prints the two API keys of a stack, as Supabase makes them: HS256 tokens that name a role. The secret comes from JWT_SECRET.
import { createHmac } from "node:crypto";

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
