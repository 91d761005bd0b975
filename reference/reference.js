if (typeof Scalar === "undefined") {
  document.getElementById("reference").textContent =
    "The script of this page is missing. Run node scripts/fetch-scalar.mjs in the project's folder, then reload this page.";
  throw new Error("reference/scalar.js is missing");
}

const openapi = await (await fetch("/functions/v1/openapi")).json();

// Scalar would send every parameter that has an example or a default. `x-disabled` offers the value, but leaves the parameter
// out of the request until the user ticks it.
const operations = Object.values(openapi.paths).flatMap((item) => Object.values(item));
const parameters = [
  ...operations.flatMap(({ parameters = [] }) => parameters),
  ...Object.values(openapi.components.parameters),
];
for (const parameter of parameters) {
  if (parameter.schema === undefined || parameter.required) continue;
  const value = parameter.schema.examples?.[0] ?? parameter.schema.default ?? parameter.schema.enum?.[0];
  if (value !== undefined) parameter.examples = { example: { value, "x-disabled": true } };
}

// The page contacts no server but its own: no fonts, no proxy, no telemetry, no hosted agent.
Scalar.createApiReference("#reference", {
  content: openapi,
  baseServerURL: location.origin,
  telemetry: false,
  withDefaultFonts: false,
  showDeveloperTools: "never",
  hideClientButton: true,
  agent: { disabled: true },
  mcp: { disabled: true },
  persistAuth: false,
  defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
  authentication: { preferredSecurityScheme: "apiKey" },
});
