import { useEffect, useEffectEvent } from 'react'

/** Sent from the page an authorization redirects to, to the tab that started it. */
export interface AuthorizationResult {
  connectionId?: string
  error?: string
}

const CHANNEL = 'atrium-connections'

export function publishAuthorizationResult(result: AuthorizationResult): void {
  const channel = new BroadcastChannel(CHANNEL)
  channel.postMessage(result)
  channel.close()
}

export function useAuthorizationResult(onResult: (result: AuthorizationResult) => void): void {
  const receive = useEffectEvent(onResult)
  useEffect(() => {
    const channel = new BroadcastChannel(CHANNEL)
    channel.onmessage = ({ data }) => receive(data as AuthorizationResult)
    return () => channel.close()
  }, [])
}
