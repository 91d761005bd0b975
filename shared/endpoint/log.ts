/** What went wrong is for the operator; the client gets the request id to name it by. */
export function logError(requestId: string, endpoint: string, error: string): void {
  console.error(JSON.stringify({ level: "error", request_id: requestId, endpoint, error }));
}

/** Something that the request got over. */
export function logWarning(requestId: string, endpoint: string, warning: string): void {
  console.warn(JSON.stringify({ level: "warning", request_id: requestId, endpoint, warning }));
}
