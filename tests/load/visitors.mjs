/**
 * Visitors of the public catalogue who want as much as they can get: 64, each from an address of its own, with one request after the other for as long
 * as it is told. In Node, which can choose the address of a connection. Prints the answers by status as JSON.
 *
 * usage: node tests/load/visitors.mjs ORIGIN SECONDS
 */
import { Agent, get } from "node:http";

const [origin = "", seconds = "5"] = process.argv.slice(2);
const visitors = 64;
const words = ["water", "health", "school", "rural", "energy", "housing", "youth", "arts", "soil", "veterans"];
const until = performance.now() + Number(seconds) * 1_000;
/** @type {Record<string, number>} */
const statuses = {};

/** @param {number} visitor @param {number} request */
function pathOf(visitor, request) {
  const word = words[(visitor + request) % words.length];
  // No two alike: what a cache answers costs nothing.
  return `/funding?q=${word}+${visitor}+${request}&sort=relevance`;
}

/** @param {Agent} agent @param {string} path @returns {Promise<string>} */
function ask(agent, path) {
  return new Promise((resolve) => {
    const request = get(`${origin}${path}`, { agent }, (response) => {
      response.resume();
      response.once("end", () => resolve(String(response.statusCode)));
      response.once("error", () => resolve("broken off"));
    });
    request.once("error", () => resolve("no connection"));
  });
}

await Promise.all(
  Array.from({ length: visitors }, async (_, visitor) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1, localAddress: `127.0.1.${visitor + 1}` });
    for (let request = 0; performance.now() < until; request++) {
      const status = await ask(agent, pathOf(visitor, request));
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
    agent.destroy();
  }),
);
console.log(JSON.stringify(statuses));
