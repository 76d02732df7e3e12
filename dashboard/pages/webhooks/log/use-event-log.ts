import { type InfiniteData, keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { type Connection, follow } from '../../../live/follow.ts'
import { type EventFilter, eventsQuery, type WebhookEvent } from '../webhooks-queries.ts'

/** Minimum time between refetches. */
const REFRESH_MS = 400
/** New events are usually delivered within this time, which changes their status. */
const DELIVERED_MS = 2500

/**
 * New events trigger a refetch: only the server knows whether they match the filter, and their status. After scrolling
 * to older pages, they're only counted.
 */
export function useEventLog(filter: EventFilter) {
  const [isLive, setLive] = useState(true)
  const [newCount, setNewCount] = useState(0)
  const freshIds = useRef(new Set<string>())
  const timers = useRef<{ soon?: Timer; delivered?: Timer }>({})
  const queries = useQueryClient()
  const query = eventsQuery(filter)
  const list = useInfiniteQuery({ ...query, placeholderData: keepPreviousData })
  const hasOlderPages = (list.data?.pages.length ?? 0) > 1

  const { refetch } = list
  const refresh = () => void refetch({ cancelRefetch: false })
  const refreshSoon = () => {
    timers.current.soon ??= setTimeout(() => {
      timers.current.soon = undefined
      refresh()
    }, REFRESH_MS)
  }
  const onEvent = (event: WebhookEvent) => {
    if (hasOlderPages) return setNewCount((count) => count + 1)
    freshIds.current.add(event.id)
    refreshSoon()
    clearTimeout(timers.current.delivered)
    timers.current.delivered = setTimeout(refresh, DELIVERED_MS)
  }
  useEffect(
    () => () => {
      clearTimeout(timers.current.soon)
      clearTimeout(timers.current.delivered)
      timers.current = {}
    },
    [],
  )
  const connection = useLiveEvents({
    webhookId: filter.webhookId,
    isOn: isLive,
    onEvent,
    onOpen: () => {
      if (!hasOlderPages) refreshSoon()
    },
  })

  return {
    list,
    items: list.data?.pages.flatMap((page) => page.items) ?? [],
    isFresh: ({ id }: WebhookEvent) => freshIds.current.has(id),
    connection,
    isLive,
    toggleLive: () => {
      if (!isLive) refreshFromTop()
      setLive(!isLive)
    },
    newCount,
    refreshFromTop,
  }

  function refreshFromTop() {
    setNewCount(0)
    document.querySelector('[data-scroll]')?.scrollTo(0, 0)
    queries.setQueryData<InfiniteData<unknown>>(
      query.queryKey,
      (data) => data && { pages: data.pages.slice(0, 1), pageParams: data.pageParams.slice(0, 1) },
    )
    void refetch()
  }
}

type Timer = ReturnType<typeof setTimeout>

interface LiveEvents {
  webhookId?: string
  isOn: boolean
  onEvent: (event: WebhookEvent) => void
  /** Later events will arrive, but earlier ones may have been missed. */
  onOpen: () => void
}

function useLiveEvents({ webhookId, isOn, onEvent, onOpen }: LiveEvents): Connection {
  const [connection, setConnection] = useState<Connection>('connecting')
  const receive = useEffectEvent(onEvent)
  const change = useEffectEvent((next: Connection) => {
    setConnection(next)
    if (next === 'open') onOpen()
  })
  useEffect(() => {
    if (!isOn) return
    const path = `/api/v1/webhooks/events/live${webhookId ? `?webhookId=${webhookId}` : ''}`
    const following = follow<{ name: string; id?: string; data: WebhookEvent }>({
      open: (signal, lastEventId) =>
        fetch(path, {
          headers: { accept: 'text/event-stream', ...(lastEventId && { 'last-event-id': lastEventId }) },
          signal,
        }),
      onEvent: ({ name, data }) => {
        if (name === 'event') receive(data)
      },
      onConnection: (next) => change(next),
    })
    window.addEventListener('online', following.retryNow)
    window.addEventListener('offline', following.disconnect)
    return () => {
      following.stop()
      window.removeEventListener('online', following.retryNow)
      window.removeEventListener('offline', following.disconnect)
    }
  }, [webhookId, isOn])
  return connection
}
