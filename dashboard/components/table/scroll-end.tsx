import { useEffect, useRef } from 'react'
import { LoadMore } from './load-more.tsx'

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

/** Infinite scroll: fetches the next page ahead of the end. After a failure the button retries. */
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
