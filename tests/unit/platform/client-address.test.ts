import { describe, expect, test } from "vitest";
import { addressInHeader, clientAddressHeader, parseAddress } from "../../../shared/platform/client-address.ts";

describe("an address is parsed", () => {
  test.each([
    ["192.0.2.1", "192.0.2.1"],
    [" 192.0.2.1 ", "192.0.2.1"],
    ["192.0.2.1:8080", "192.0.2.1"],
    ["2001:DB8:0:0::1", "2001:db8::1"],
    ["[2001:db8::1]", "2001:db8::1"],
    ["[2001:db8::1]:443", "2001:db8::1"],
    ["fe80::1%eth0", "fe80::1"],
    ["[fe80::1%2]:443", "fe80::1"],
    ["::1", "::1"],
    ["::ffff:192.0.2.1", "192.0.2.1"],
    ["::ffff:c000:201", "192.0.2.1"],
    ["[::ffff:192.0.2.1]:443", "192.0.2.1"],
  ])("%j as %s", (text, address) => {
    expect(parseAddress(text)).toBe(address);
  });

  test.each([
    "",
    "unknown",
    "_hidden",
    "192.0.2",
    "192.0.2.256",
    "192.0.2.01",
    "0xc0.0.2.1",
    "3221225985",
    "192.0.2.1/24",
    "192.0.2.1%eth0",
    "fe80::1%",
    "192.0.2.1 192.0.2.2",
    "2001:db8::1::2",
    "[192.0.2.1",
    "for=192.0.2.1",
    "' or true --",
  ])("%j as none", (text) => {
    expect(parseAddress(text)).toBeUndefined();
  });
});

describe("the address in a header", () => {
  const read = (value: string, name = "x-real-ip") => addressInHeader(new Headers({ [name]: value }), name);

  test("is the only one, or the last of several, which is the proxy's own", () => {
    expect(read("198.51.100.7")).toBe("198.51.100.7");
    expect(read("192.0.2.1, 203.0.113.9,198.51.100.7", "x-forwarded-for")).toBe("198.51.100.7");
  });

  test("is the last one where the client sent the header, too, and the proxy added a second", () => {
    const headers = new Headers({ "x-real-ip": "192.0.2.1" });
    headers.append("x-real-ip", "198.51.100.7");
    expect(addressInHeader(headers, "x-real-ip")).toBe("198.51.100.7");
  });

  test.each(["192.0.2.1, unknown", "192.0.2.1,", "unknown"])("is unknown where the last one is none: %j", (value) => {
    expect(read(value)).toBeUndefined();
  });

  test("is unknown without the header, and where none is named, whatever the client sends", () => {
    const forged = new Headers({
      "x-forwarded-for": "192.0.2.1",
      "x-real-ip": "192.0.2.1",
      "x-client-address": "192.0.2.1",
    });
    expect(addressInHeader(forged, "cf-connecting-ip")).toBeUndefined();
    expect(addressInHeader(forged, undefined)).toBeUndefined();
  });
});

describe("CLIENT_ADDRESS_HEADER", () => {
  test.each([
    [undefined, undefined],
    ["X-Real-IP", "x-real-ip"],
    ["cf-connecting-ip", "cf-connecting-ip"],
  ])("%j names %j", (value, name) => {
    expect(clientAddressHeader(() => value)).toBe(name);
  });

  test.each(["x-real-ip, x-forwarded-for", "x real ip", "x-real-ip:"])("%j is refused", (value) => {
    expect(() => clientAddressHeader(() => value)).toThrow(
      `CLIENT_ADDRESS_HEADER is ${JSON.stringify(value)}; it must be the name of a header, such as x-real-ip`,
    );
  });
});
