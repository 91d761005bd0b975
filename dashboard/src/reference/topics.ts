/** Pages about all operations: the last part of their address, and their title. */
export const topics = [
  { id: "errors", title: "Errors" },
  { id: "headers", title: "Headers" },
  { id: "mcp", title: "MCP server" },
  { id: "clients", title: "Client libraries" },
] as const;
export type TopicId = (typeof topics)[number]["id"];
