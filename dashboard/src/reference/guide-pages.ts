/** Pages about all operations: the last part of their address, and their title. */
export const guidePages = [
  { id: "errors", title: "Errors" },
  { id: "headers", title: "Headers" },
  { id: "mcp", title: "MCP server" },
  { id: "clients", title: "Client libraries" },
] as const;
export type GuideId = (typeof guidePages)[number]["id"];
