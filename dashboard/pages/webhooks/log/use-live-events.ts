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
    let last: string | undefined
    const path = `/api/v1/webhooks/events/live${webhookId ? `?webhookId=${webhookId}` : ''}`
    const following = follow<{ name: string; id?: string; data: WebhookEvent }>({
      open: (signal) =>
        fetch(path, {
          headers: { accept: 'text/event-stream', ...(last && { 'last-event-id': last }) },
          signal,
        }),
      onEvent: ({ name, id, data }) => {
        last = id ?? last
        if (name === 'event') receive(data)
      },
      onConnection: (next) => change(next),
      greets: true,
    })
    window.addEventListener('online', following.hurry)
    window.addEventListener('offline', following.drop)
    return () => {
      following.stop()
      window.removeEventListener('online', following.hurry)
      window.removeEventListener('offline', following.drop)
    }
  }, [webhookId, isOn])
  return connection
}
