if (typeof Scalar === "undefined") {
  document.getElementById("reference").textContent =
    "The script of this page is missing. Run node scripts/fetch-scalar.mjs in the project's folder, and reload.";
  throw new Error("reference/scalar.js is missing");
}

const description = await (await fetch("/functions/v1/openapi")).json();

// Scalar sends every parameter that has an example or a default. Offered, but left out until somebody ticks it, is better.
const operations = Object.values(description.paths).flatMap((item) => Object.values(item));
const parameters = [
  ...operations.flatMap(({ parameters = [] }) => parameters),
  ...Object.values(description.components.parameters),
];
for (const parameter of parameters) {
  if (parameter.schema === undefined || parameter.required) continue;
  const value = parameter.schema.examples?.[0] ?? parameter.schema.default ?? parameter.schema.enum?.[0];
  if (value !== undefined) parameter.examples = { example: { value, "x-disabled": true } };
}

// Nothing leaves the server that the page came from: no fonts, no proxy, no telemetry, no hosted agent.
Scalar.createApiReference("#reference", {
  content: description,
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
