import { useEffect, useEffectEvent } from 'react'

/** The message of the page that an authorization returns to, for the tab that started it. */
export interface ConnectionNews {
  connectionId?: string
  /** The reason of a failure. */
  error?: string
}

const CHANNEL = 'atrium-connections'

export function publishNews(news: ConnectionNews): void {
  const channel = new BroadcastChannel(CHANNEL)
  channel.postMessage(news)
  channel.close()
}

export function useConnectionNews(onNews: (news: ConnectionNews) => void): void {
  const receive = useEffectEvent(onNews)
  useEffect(() => {
    const channel = new BroadcastChannel(CHANNEL)
    channel.onmessage = ({ data }) => receive(data as ConnectionNews)
    return () => channel.close()
  }, [])
}
