/** The folder cannot be used as it is. The message says why. */
export class DocumentFolderError extends Error {}
