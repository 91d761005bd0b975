import { useMutation, useQueryClient } from "@tanstack/react-query";
import { isProblem } from "../api/errors.ts";
import { useToast } from "../components/toasts.tsx";
import { saveCsv } from "../format/save-csv.ts";
import { csvRequestFor, type ExplorerForm } from "./request.ts";
import { useSendWithKey } from "./send-with-key.ts";

/** Time for a file of up to 10,000 records, which may come over a slow line. */
const fileTimeoutMs = 10 * 60_000;

/** Downloads all records that match a form as a CSV file, and says so where it is refused. */
export function useCsvDownload(baseUrl: string) {
  const sendWithKey = useSendWithKey();
  const queries = useQueryClient();
  const toast = useToast();
  const failed = (description: string) => toast({ title: "The file was not downloaded", description, type: "bad" });
  return useMutation({
    mutationFn: async (form: ExplorerForm) => {
      const { status, body } = await sendWithKey(
        csvRequestFor(form, baseUrl),
        new AbortController().signal,
        fileTimeoutMs,
      );
      if (status === 200 && typeof body === "string") saveCsv(body, `${form.dataset}.csv`);
      else failed(isProblem(body) ? body.detail : `The API answered ${status}.`);
    },
    onError: () => failed("The API cannot be reached. Try again in a moment."),
    onSettled: () => void queries.invalidateQueries(),
    gcTime: 0,
  });
}
