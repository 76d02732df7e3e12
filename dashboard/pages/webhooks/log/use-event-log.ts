import { type InfiniteData, keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { type EventFilter, eventsQuery, type WebhookEvent } from '../webhooks-queries.ts'
import { useLiveEvents } from './use-live-events.ts'

/** Not more often than this, however much happens. */
const REFRESH_MS = 400
/** What arrives is usually sent on within this, and then has another status. */
const SETTLED_MS = 2500

/**
 * The log as it grows. What is new is asked for again rather than put on top: only the server knows whether it fits the
 * filter, and what has become of it since. Whoever has scrolled on to older events is told how many are new instead.
 */
export function useEventLog(filter: EventFilter) {
  const [isLive, setLive] = useState(true)
  const [waiting, setWaiting] = useState(0)
  const fresh = useRef(new Set<string>())
  const timers = useRef<{ soon?: Timer; settled?: Timer }>({})
  const queries = useQueryClient()
  const query = eventsQuery(filter)
  const list = useInfiniteQuery({ ...query, placeholderData: keepPreviousData })
  const isLookingBack = (list.data?.pages.length ?? 0) > 1

  const { refetch } = list
  const refresh = () => void refetch({ cancelRefetch: false })
  const refreshSoon = () => {
    timers.current.soon ??= setTimeout(() => {
      timers.current.soon = undefined
      refresh()
    }, REFRESH_MS)
  }
  const hear = (event: WebhookEvent) => {
    if (isLookingBack) return setWaiting((count) => count + 1)
    fresh.current.add(event.id)
    refreshSoon()
    clearTimeout(timers.current.settled)
    timers.current.settled = setTimeout(refresh, SETTLED_MS)
  }
  useEffect(
    () => () => {
      clearTimeout(timers.current.soon)
      clearTimeout(timers.current.settled)
      timers.current = {}
    },
    [],
  )
  const connection = useLiveEvents({
    webhookId: filter.webhookId,
    isOn: isLive,
    onEvent: hear,
    onOpen: () => {
      if (!isLookingBack) refreshSoon()
    },
  })

  return {
    list,
    items: list.data?.pages.flatMap((page) => page.items) ?? [],
    isFresh: ({ id }: WebhookEvent) => fresh.current.has(id),
    connection,
    isLive,
    toggleLive: () => {
      if (!isLive) refreshFromTop()
      setLive(!isLive)
    },
    waiting,
    refreshFromTop,
  }

  /** Back to the newest page, and to following. */
  function refreshFromTop() {
    setWaiting(0)
    document.querySelector('[data-scroll]')?.scrollTo(0, 0)
    queries.setQueryData<InfiniteData<unknown>>(
      query.queryKey,
      (data) => data && { pages: data.pages.slice(0, 1), pageParams: data.pageParams.slice(0, 1) },
    )
    void refetch()
  }
}

type Timer = ReturnType<typeof setTimeout>
