import { useCallback, useEffect, useRef, useState } from 'react'
import { ApiFailure } from '../../../../client/client.ts'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import type { Contract } from '../../../../contract/index.ts'
import { publicApi } from '../../../api/client.ts'

export type OpenShare = OutputOf<Contract['sharing']['open']>

export type ShareState =
  | { phase: 'opening' }
  | { phase: 'locked'; isWrong: boolean; error?: Error }
  | { phase: 'open'; share: OpenShare }
  | { phase: 'gone' }
  | { phase: 'failed'; error: Error }

/** A minute before the guest token expires, and right after, when the link itself may have expired. */
const RENEWALS_MS = [-60_000, 1000]

/** Renews the guest token with the accepted password. */
export function useShare(token: string) {
  const [state, setState] = useState<ShareState>({ phase: 'opening' })
  const acceptedPassword = useRef<string>(undefined)

  const open = useCallback(
    async (password = acceptedPassword.current) => {
      try {
        const share = await publicApi.sharing.open({ token, password })
        acceptedPassword.current = password
        setState({ phase: 'open', share })
      } catch (error) {
        setState((previous) => stateAfter(error as Error, previous))
      }
    },
    [token],
  )

  useEffect(() => {
    void open()
  }, [open])

  const expiresAt = state.phase === 'open' ? state.share.expiresAt : undefined
  useEffect(() => {
    if (!expiresAt) return
    const remainingMs = new Date(expiresAt).getTime() - Date.now()
    const timers = RENEWALS_MS.map((offset) =>
      setTimeout(() => void open(), Math.max(remainingMs + offset, 0)),
    )
    return () => timers.forEach(clearTimeout)
  }, [expiresAt, open])

  return { state, open }
}

/** An open canvas stays open while the server is unreachable and shows its own banner. */
function stateAfter(error: Error, previous: ShareState): ShareState {
  if (!(error instanceof ApiFailure)) return { phase: 'failed', error }
  if (error.code === 'NOT_FOUND' || error.fieldMessage('body.token')) return { phase: 'gone' }
  if (error.reason === 'password_required') return { phase: 'locked', isWrong: false }
  if (error.reason === 'wrong_password') return { phase: 'locked', isWrong: true }
  if (previous.phase === 'open') return previous
  return previous.phase === 'locked' ? { ...previous, isWrong: false, error } : { phase: 'failed', error }
}
