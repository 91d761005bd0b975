/**
 * Time between refreshes of the shown data while the tab is visible: figures move without a reload, and a page whose server has
 * stopped says so.
 */
export const refreshMs = 15_000;
/** The same for what counts records: they come with imports, and counting the new ones reads thousands. */
export const recordsRefreshMs = 60_000;

/** Query of a list that is read page by page: what its refreshes need of it. */
interface PagedQuery<Page> {
  state: { data: { pages: readonly Page[] } | undefined };
}

/**
 * Options of a list that is read page by page: it refreshes itself while it shows one page. A refresh reads all pages that are shown, one
 * after the other, so with several of them the reader says when (`PagedList`).
 *
 * @param intervalMsOf time between refreshes, by the page; undefined where none has come.
 */
export function refreshSinglePage<Page>(intervalMsOf: (page: Page | undefined) => number) {
  const isSingle = ({ state: { data } }: PagedQuery<Page>) => data === undefined || data.pages.length <= 1;
  return {
    refetchInterval: (query: PagedQuery<Page>) => isSingle(query) && intervalMsOf(query.state.data?.pages[0]),
    refetchOnWindowFocus: isSingle,
  };
}
