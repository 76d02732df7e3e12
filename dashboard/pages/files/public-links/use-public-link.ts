import { useCallback, useEffect, useRef, useState } from 'react'
import { ApiFailure } from '../../../../client/client.ts'
import { guestFileApi, type PublicEntry } from '../../../api/files.ts'

export interface OpenLink {
  guestToken: string
  expiresAt: string
  entry: PublicEntry
}

export type LinkState =
  | { phase: 'opening' }
  | { phase: 'locked'; problem?: Error }
  | { phase: 'open'; link: OpenLink }
  | { phase: 'gone'; isExpired?: boolean }
  | { phase: 'failed'; error: Error }

/** Renews the guest token this long before it expires. */
const RENEWAL_MS = 60_000

/** Renews the guest token with the accepted password. */
export function usePublicLink(token: string) {
  const [state, setState] = useState<LinkState>({ phase: 'opening' })
  const acceptedPassword = useRef<string>(undefined)
  const open = useCallback(
    async (password = acceptedPassword.current) => {
      try {
        const link = await guestFileApi.publicLinks.open({ token, password })
        acceptedPassword.current = password
        setState({ phase: 'open', link })
      } catch (error) {
        setState(stateAfter(error as Error))
      }
    },
    [token],
  )
  useEffect(() => {
    void open()
  }, [open])
  const expiresAt = state.phase === 'open' ? state.link.expiresAt : undefined
  useEffect(() => {
    if (!expiresAt) return
    const remainingMs = Date.parse(expiresAt) - Date.now()
    const timer = setTimeout(() => void open(), Math.max(remainingMs - RENEWAL_MS, 1000))
    return () => clearTimeout(timer)
  }, [expiresAt, open])
  return { state, open }
}

function stateAfter(error: Error): LinkState {
  if (!(error instanceof ApiFailure)) return { phase: 'failed', error }
  if (error.code === 'NOT_FOUND' || error.fieldMessage('body.token'))
    return { phase: 'gone', isExpired: error.reason === 'expired' }
  if (error.reason === 'password_required') return { phase: 'locked' }
  if (error.reason === 'wrong_password' || error.code === 'RATE_LIMITED')
    return { phase: 'locked', problem: error }
  return { phase: 'failed', error }
}
