import { useEffect, useEffectEvent } from 'react'

/** Sent by the page that an authorization redirects to, for the tab that started the authorization. */
export interface AuthorizationResult {
  connectionId?: string
  /** The reason of a failure. */
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
