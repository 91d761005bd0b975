import { expect, test } from "vitest";
import { isLoopback } from "../../../shared/webhooks/endpoint-url.ts";

test.each(["http://127.0.0.1:8080/x", "http://localhost/", "https://localhost:8443/", "http://[::1]:9000/"])(
  "%s is this machine",
  (address) => {
    expect(isLoopback(new URL(address))).toBe(true);
  },
);

test.each([
  "http://127.0.0.1.example.org/",
  "http://localhost.example.org/",
  "http://10.0.0.1/",
  "http://[::2]/",
  "ftp://localhost/",
  "javascript://localhost/%0aalert(1)",
])("%s is not", (address) => {
  expect(isLoopback(new URL(address))).toBe(false);
});
