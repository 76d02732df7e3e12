import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { useDebounced } from '../../state/timers.ts'

const DEBOUNCE_MS = 100
const ITEMS_MAX = 30
const RECENT_MAX = 8
const STALE_MS = 10_000

const searchQuery = (q: string) =>
  queryOptions({
    queryKey: ['search', q],
    queryFn: ({ signal }) =>
      api.search.find(q === '' ? { limit: RECENT_MAX } : { q, limit: ITEMS_MAX }, { signal }),
    // Recently opened records change with every page.
    staleTime: q === '' ? 0 : STALE_MS,
  })

/** Without a query, returns the records opened or changed last. */
export function useSearchResults(typed: string) {
  const q = typed.trim()
  const debounced = useDebounced(q, DEBOUNCE_MS)
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery({
    ...searchQuery(debounced),
    placeholderData: keepPreviousData,
  })
  // Results stay while the next query runs; recent records don't.
  const isStale = isPlaceholderData && (debounced === '' || (data?.items.length ?? 0) === 0)
  // Until the debounce ends, the items are the wrong kind: recent records for a query, or the reverse.
  const isMismatched = (q === '') !== (debounced === '')
  return {
    items: isStale || isMismatched ? [] : (data?.items ?? []),
    error,
    isLoading: isFetching || q !== debounced,
    retry: () => void refetch(),
  }
}

export type FoundItem = ReturnType<typeof useSearchResults>['items'][number]
