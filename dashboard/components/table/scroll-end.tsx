import { useEffect, useRef } from 'react'
import { t } from '../../../contract/text.ts'
import { Button } from '../button.tsx'

const AHEAD_PX = 600

interface ScrollEndProps {
  list: {
    hasNextPage: boolean
    isFetchingNextPage: boolean
    isFetchNextPageError: boolean
    fetchNextPage: () => unknown
  }
  loaded: number
}

export function ScrollEnd({ list, loaded }: ScrollEndProps) {
  const ref = useRef<HTMLDivElement>(null)
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = list
  const shouldFetch = hasNextPage && !isFetchingNextPage && !isFetchNextPageError
  useEffect(() => {
    const end = ref.current
    if (!end || !shouldFetch) return
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) void fetchNextPage()
      },
      { root: end.closest('[data-scroll]'), rootMargin: `${AHEAD_PX}px 0px` },
    )
    observer.observe(end)
    return () => observer.disconnect()
  }, [shouldFetch, fetchNextPage])
  return (
    <div ref={ref}>
      <LoadMore list={list} shown={loaded} loaded={loaded} />
    </div>
  )
}

interface LoadMoreProps {
  list: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown }
  shown: number
  loaded: number
  total?: number
}

export function LoadMore({ list, shown, loaded, total }: LoadMoreProps) {
  const filtered = shown < loaded
  if (!list.hasNextPage && !filtered) return null
  const extent = total === undefined ? t`${loaded} loaded` : t`${loaded} of ${total} loaded`
  return (
    <div className="flex items-center gap-12 px-16 py-12 text-13 text-neutral-11 md:px-24">
      {list.hasNextPage && (
        <Button busy={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
          Load more
        </Button>
      )}
      <span role="status">
        {filtered ? t`${shown === 0 ? t`None` : shown} of ${loaded} loaded rows match` : extent}
      </span>
    </div>
  )
}
