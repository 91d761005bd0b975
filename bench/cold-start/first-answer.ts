/**
 * Imports a function and sends it one request, as a new isolate does before its first answer. Prints the status.
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

// This makes the file a module for the type check.
export {};
