import { useEffect, useEffectEvent, useState } from 'react'
import { type Connection, follow } from '../../../live/follow.ts'
import type { WebhookEvent } from '../webhooks-queries.ts'

interface LiveEvents {
  webhookId?: string
  /** Connects only while true. */
  isOn: boolean
  onEvent: (event: WebhookEvent) => void
  /** The stream is open: later events are received, earlier ones may have been missed. */
  onOpen: () => void
}

/** Subscribes to the event log, or to the events of one webhook, and resumes after a disconnect. */
export function useLiveEvents({ webhookId, isOn, onEvent, onOpen }: LiveEvents): Connection {
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
