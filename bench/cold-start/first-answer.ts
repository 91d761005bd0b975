/**
 * Imports a function and asks it once: what a new isolate does before its first answer. Prints the status.
 *
 * usage: first-answer.ts MODULE METHOD URL KEY
 */
const [modulePath = "", method = "", url = "", key = ""] = Deno.args;
const { default: called } = (await import(modulePath)) as { default: { fetch(request: Request): Promise<Response> } };
const response = await called.fetch(
  new Request(url, {
    method,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: method === "POST" ? JSON.stringify({ query: "rural broadband" }) : null,
  }),
);
await response.arrayBuffer();
console.log(response.status);
Deno.exit(0);

// Nothing is exported; this makes the file a module to the type check.
export {};
