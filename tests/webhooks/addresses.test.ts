import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createNodeTransport } from "../../local/embedded/node-transport.ts";
import { type Address, reservedRange } from "../../shared/webhooks/address.ts";
import { urlFault } from "../../shared/webhooks/endpoint-url.ts";
import { openReceiver, type Receiver } from "./receiver.ts";

let receiver: Receiver;
beforeAll(async () => {
  receiver = await openReceiver();
});
afterAll(() => receiver.close());

describe("an endpoint's URL", () => {
  test.each([
    "https://hooks.example.org/funding",
    "https://hooks.example.org:8443/a?b=c",
    "https://xn--bcher-kva.example/",
  ])("may be %s", (url) => expect(urlFault(url)).toBeUndefined());

  test.each([
    "http://hooks.example.org/",
    "ftp://hooks.example.org/",
    "https://hooks.example.org:22/",
    "https://user:password@hooks.example.org/",
    "https://hooks.example.org/#part",
    "https://127.0.0.1/",
    "https://2130706433/",
    "https://0x7f.1/",
    "https://0177.0.0.1/",
    "https://[::1]/",
    "https://[::ffff:10.0.0.1]/",
    "https://8.8.8.8/",
    "https://localhost/",
    "https://db.internal/",
    "https://printer.local./",
    "https://intranet/",
    "not a url",
    `https://hooks.example.org/${"x".repeat(2_000)}`,
  ])("may not be %s", (url) => expect(urlFault(url)).toEqual(expect.any(String)));

  test("may be this machine's by http only where that is allowed", () => {
    expect(urlFault("http://127.0.0.1:8080/", true)).toBeUndefined();
    expect(urlFault("http://localhost:8080/", true)).toBeUndefined();
    expect(urlFault("http://10.0.0.1/", true)).toEqual(expect.any(String));
    expect(urlFault("http://127.0.0.1:8080/")).toEqual(expect.any(String));
  });
});

describe("an address", () => {
  test.each([
    "0.0.0.0",
    "10.1.2.3",
    "100.64.0.1",
    "127.0.0.1",
    "169.254.169.254",
    "172.16.0.1",
    "192.0.2.1",
    "192.168.1.1",
    "198.18.0.1",
    "203.0.113.9",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "fe80::1",
    "fc00::1",
    "fd12:3456::1",
    "ff02::1",
    "2001:db8::1",
    "::ffff:127.0.0.1",
    "::ffff:169.254.169.254",
    "64:ff9b::a00:1",
    "2002:7f00:1::",
    "::7f00:1",
    "::127.0.0.1",
    "1::1",
    "4000::1",
    "fec0::1",
    "fd00:ec2::254",
    "168.63.129.16",
    "::ffff:168.63.129.16",
    "100.100.100.200",
    "192.0.0.192",
    "nonsense",
  ])("that is reserved is refused: %s", (address) => expect(reservedRange(address)).toEqual(expect.any(String)));

  test.each(["8.8.8.8", "93.184.216.34", "2606:4700:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"])(
    "that is public is not: %s",
    (address) => expect(reservedRange(address)).toBeUndefined(),
  );

  test("that is IPv6, outside 2000::/3 and holds no IPv4 address is refused, whatever it is", () => {
    const groups = fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 7, maxLength: 7 });
    const outside = fc.integer({ min: 0, max: 0xffff }).filter((group) => group >> 13 !== 1 && group !== 0x64);
    fc.assert(
      fc.property(outside, groups, (first, rest) => {
        const address = [first, ...rest].map((group) => group.toString(16)).join(":");
        fc.pre(!/^(0:){5}ffff:/.test(address));
        expect(reservedRange(address)).toEqual(expect.any(String));
      }),
    );
  });
});

describe("the transport of a process", () => {
  const request = (url: string) => ({ url: new URL(url), headers: {}, body: "{}", timeoutMs: 1_000 });
  const resolvingTo = (...addresses: string[]) => {
    const resolved: Address[] = addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
    return createNodeTransport({ allowLoopback: false, resolve: () => Promise.resolve(resolved) });
  };

  test.each([
    [["127.0.0.1"]],
    [["10.0.0.5"]],
    [["93.184.216.34", "10.0.0.5"]],
    [["::1"]],
    [["::ffff:169.254.169.254"]],
  ])("sends nothing to a name that resolves to %j", async (addresses) => {
    const before = receiver.received.length;
    const { port } = new URL(receiver.url);
    await expect(resolvingTo(...addresses).send(request(`http://rebound.example.org:${port}/`))).rejects.toMatchObject({
      fault: "address",
    });
    expect(receiver.received).toHaveLength(before);
  });

  test("says when a name has no address, or cannot be resolved", async () => {
    await expect(resolvingTo().send(request("https://none.example.org/"))).rejects.toMatchObject({
      fault: "connection",
    });
    const failing = createNodeTransport({
      allowLoopback: false,
      resolve: () => Promise.reject(new Error("no such name")),
    });
    await expect(failing.send(request("https://none.example.org/"))).rejects.toMatchObject({ fault: "connection" });
  });

  test("gives up on a name that is not resolved in time", async () => {
    const slow = createNodeTransport({ allowLoopback: false, resolve: () => new Promise(() => undefined) });
    const hurried = { ...request("https://slow.example.org/"), timeoutMs: 20 };
    await expect(slow.send(hurried)).rejects.toMatchObject({ fault: "timeout" });
  });
});
