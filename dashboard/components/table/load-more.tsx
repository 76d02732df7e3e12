import { Button } from '../button.tsx'

interface LoadMoreProps {
  list: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown }
  /** Rows on the screen, after filtering. */
  shown: number
  loaded: number
  total?: number
}

/** The footer of a paginated list: the loaded count and the next page. */
export function LoadMore({ list, shown, loaded, total }: LoadMoreProps) {
  const filtered = shown < loaded
  if (!list.hasNextPage && !filtered) return null
  const extent = total === undefined ? `${loaded} loaded` : `${loaded} of ${total} loaded`
  return (
    <div className="flex items-center gap-12 px-16 py-12 text-13 text-neutral-11 md:px-24">
      {list.hasNextPage && (
        <Button busy={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
          Load more
        </Button>
      )}
      <span role="status">
        {filtered ? `${shown === 0 ? 'None' : shown} of ${loaded} loaded rows match the filter` : extent}
      </span>
    </div>
  )
}
