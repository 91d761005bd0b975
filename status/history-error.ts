/** A file that is no status history, another deployment's, or in use. The message names it, and says what to do. */
export class HistoryError extends Error {}
