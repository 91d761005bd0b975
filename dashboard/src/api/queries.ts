import {
  type InfiniteData,
  keepPreviousData,
  type QueryKey,
  type UseQueryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useAccountRequest } from "./context.tsx";
import { refreshMs, refreshSinglePage } from "./refresh.ts";
import type { AccountRequest, RequestOptions } from "./request.ts";

/** Reads a path of the account API, and refreshes the answer while it is shown. `sent` is what the request has besides its path. */
export function useRead<Answer, Data = Answer>(
  queryKey: QueryKey,
  path: string,
  { sent, ...options }: Partial<UseQueryOptions<Answer, Error, Data>> & { sent?: RequestOptions } = {},
) {
  const request = useAccountRequest();
  return useQuery({ queryKey, queryFn: ({ signal }) => request<Answer>(path, { ...sent, signal }), ...options });
}

/**
 * Reads a list page by page, the newest first.
 *
 * @param query parameters of each page.
 * @param intervalMsOf time between refreshes, by the first page.
 */
export function usePages<Page extends { next: string | null }>(
  queryKey: QueryKey,
  path: string,
  query: URLSearchParams,
  { intervalMsOf = () => refreshMs, keepsFormer = false }: PageOptions<Page> = {},
) {
  const request = useAccountRequest();
  return useInfiniteQuery({
    queryKey,
    queryFn: ({ signal, pageParam }) => {
      const parameters = new URLSearchParams(query);
      if (pageParam !== "") parameters.set("page", pageParam);
      return request<Page>(`${path}?${parameters}`, { signal });
    },
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
    ...(keepsFormer && { placeholderData: keepPreviousData<InfiniteData<Page, string>> }),
    ...refreshSinglePage(intervalMsOf),
  });
}

interface PageOptions<Page> {
  intervalMsOf?: (page: Page | undefined) => number;
  /** Shows the rows of the former query until those of another one are there. */
  keepsFormer?: boolean;
}

/** Mutation that makes the cached answers under these keys invalid afterwards, also after an error. */
export function useChange<Input, Answer>(
  keys: readonly string[],
  change: (request: AccountRequest, input: Input) => Promise<Answer>,
) {
  const request = useAccountRequest();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (input: Input) => change(request, input),
    // The answer may contain a secret, which must not outlive the dialog that shows it.
    gcTime: 0,
    onSettled: () => {
      for (const key of keys) void queries.invalidateQueries({ queryKey: [key] });
    },
  });
}
