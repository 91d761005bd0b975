import { createHash } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { detectMediaType } from "../../ingest/documents/media-type.ts";

/** What is known of the document at an address. */
const entry = z.object({
  /** Name of its file; null where it was never had. Only names that this command gives: a manifest from others must not name files outside the folder. */
  file: z
    .string()
    .regex(/^[0-9a-f]{32}\.[a-z]+$/)
    .nullable(),
  bytes: z.int().nullable(),
  sha256: z.string().nullable(),
  /** Validators of the answer that the file is from. */
  etag: z.string().nullable(),
  last_modified: z.string().nullable(),
  /** When the file was fetched, and when its host was last asked: RFC 3339. */
  fetched_at: z.string().nullable(),
  checked_at: z.string(),
  /** Why the last look brought nothing, as a predicate about the address; null where it went well. */
  reason: z.string().nullable(),
});
export type DocumentEntry = z.infer<typeof entry>;

const manifest = z.object({ version: z.literal(1), documents: z.record(z.string(), entry) });

const manifestName = "manifest.json";

/** A folder of documents, each a file, with a manifest that says of which address each is. */
export class DocumentFolder {
  #saving: Promise<void> = Promise.resolve();

  private constructor(
    readonly path: string,
    readonly documents: Map<string, DocumentEntry>,
  ) {}

  /**
   * Opens a folder, or makes it.
   *
   * @throws {Error} where its manifest cannot be read: files that it names are never lost by a new one.
   */
  static async open(path: string): Promise<DocumentFolder> {
    await mkdir(path, { recursive: true });
    let text: string;
    try {
      text = await readFile(join(path, manifestName), "utf8");
    } catch (error) {
      if ((error as { code?: string }).code !== "ENOENT") throw error;
      return new DocumentFolder(path, new Map());
    }
    let read: z.infer<typeof manifest>;
    try {
      read = manifest.parse(JSON.parse(text));
    } catch {
      throw new Error(`${join(path, manifestName)} is no manifest of this command. Move it away to begin anew.`);
    }
    return new DocumentFolder(path, new Map(Object.entries(read.documents)));
  }

  /** Stores a document's file in place of the former one. @returns what the manifest says of the file. */
  async store(url: string, bytes: Uint8Array): Promise<Pick<DocumentEntry, "file" | "bytes" | "sha256">> {
    const former = this.documents.get(url)?.file ?? null;
    const file = `${sha256(new TextEncoder().encode(url)).slice(0, 32)}.${extensions[detectMediaType(bytes)]}`;
    await this.#write(file, bytes);
    if (former !== null && former !== file) await rm(join(this.path, former), { force: true });
    return { file, bytes: bytes.length, sha256: sha256(bytes) };
  }

  /** Removes the documents of all other addresses. @returns their number. */
  async keepOnly(urls: ReadonlySet<string>): Promise<number> {
    const gone = [...this.documents].filter(([url]) => !urls.has(url));
    for (const [url, { file }] of gone) {
      if (file !== null) await rm(join(this.path, file), { force: true });
      this.documents.delete(url);
    }
    return gone.length;
  }

  /** Writes the manifest, after writes that are under way. */
  save(): Promise<void> {
    this.#saving = this.#saving.then(() => this.#writeManifest());
    return this.#saving;
  }

  #writeManifest(): Promise<void> {
    const documents = Object.fromEntries([...this.documents].sort(([one], [other]) => (one < other ? -1 : 1)));
    const text = `${JSON.stringify({ version: 1, documents } satisfies z.infer<typeof manifest>, null, 2)}\n`;
    return this.#write(manifestName, new TextEncoder().encode(text));
  }

  /** Writes a file as a whole or not at all. */
  async #write(name: string, bytes: Uint8Array): Promise<void> {
    const path = join(this.path, name);
    await writeFile(`${path}.part`, bytes);
    await rename(`${path}.part`, path);
  }
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Ends of files' names, by what is in them. */
const extensions: Readonly<Record<ReturnType<typeof detectMediaType>, string>> = {
  "application/pdf": "pdf",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx",
  "text/html": "html",
  "text/plain": "txt",
  zip: "zip",
  "binary-workbook": "xlsb",
  presentation: "pptx",
  "open-document": "odf",
  "old-word": "doc",
  rtf: "rtf",
  image: "image",
  binary: "bin",
  empty: "empty",
};
