import { useMutation, useQueryClient } from "@tanstack/react-query";
import { isProblem } from "../api/errors.ts";
import { useToast } from "../components/toasts.tsx";
import { csvRequestFor, type ExplorerForm } from "./request.ts";
import { useSendWithKey } from "./run.ts";

/** Downloads all records that match a form as a CSV file, and says so where it is refused. */
export function useCsvDownload(baseUrl: string) {
  const sendWithKey = useSendWithKey();
  const queries = useQueryClient();
  const toast = useToast();
  const failed = (description: string) => toast({ title: "The file was not downloaded", description, type: "bad" });
  return useMutation({
    mutationFn: async (form: ExplorerForm) => {
      const { status, body } = await sendWithKey(csvRequestFor(form, baseUrl), new AbortController().signal);
      if (status === 200 && typeof body === "string") save(body, `${form.dataset}.csv`);
      else failed(isProblem(body) ? body.detail : `The API answered ${status}.`);
    },
    onError: () => failed("The API cannot be reached. Try again in a moment."),
    onSettled: () => void queries.invalidateQueries(),
    gcTime: 0,
  });
}

function save(text: string, name: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  const link = Object.assign(document.createElement("a"), { href: url, download: name });
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
