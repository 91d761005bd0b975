import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** Metadata that the CLI uploads with a function's files. */
export interface FunctionMetadata {
  name: string;
  entrypoint_path: string;
  import_map_path: string;
  verify_jwt: boolean;
}

/** One function as it was uploaded: its metadata, and its files' text by path. */
export interface Upload {
  metadata: FunctionMetadata;
  files: Map<string, string>;
}

export interface ManagementApi {
  url: string;
  /** The functions uploaded, by name. */
  uploads: Map<string, Upload>;
  /** The names that were made live at the end. */
  released: string[];
  close(): Promise<void>;
}

/** Stands where Supabase's Management API stands, and keeps what `functions deploy` sends. */
export async function startManagementApi(): Promise<ManagementApi> {
  const uploads = new Map<string, Upload>();
  const released: string[] = [];

  async function answer(method: string, url: URL, contentType: string, body: Buffer): Promise<Response> {
    const upload = new Response(new Uint8Array(body), { headers: { "content-type": contentType } });
    if (method === "POST" && url.pathname.endsWith("/functions/deploy")) {
      const slug = url.searchParams.get("slug") ?? "";
      const form = await upload.formData();
      const files = new Map<string, string>();
      for (const file of form.getAll("file")) if (file instanceof File) files.set(file.name, await file.text());
      uploads.set(slug, { metadata: JSON.parse(String(form.get("metadata"))) as FunctionMetadata, files });
      return Response.json(functionRecord(slug), { status: 201 });
    }
    if (method === "PUT" && url.pathname.endsWith("/functions")) {
      const functions = (await upload.json()) as { slug: string }[];
      released.push(...functions.map(({ slug }) => slug));
      return Response.json({ functions });
    }
    return Response.json({ message: "the stand-in does not know this path" }, { status: 404 });
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", async () => {
      const url = new URL(request.url ?? "/", "http://stand-in");
      const answered = await answer(
        request.method ?? "GET",
        url,
        request.headers["content-type"] ?? "",
        Buffer.concat(chunks),
      );
      response.writeHead(answered.status, { "content-type": "application/json" });
      response.end(await answered.text());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    uploads,
    released,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function functionRecord(slug: string) {
  return { id: slug, slug, name: slug, status: "ACTIVE", version: 1, created_at: 1, updated_at: 1, verify_jwt: false };
}
