import { useCallback, useEffect, useRef, useState } from 'react'
import { ApiFailure } from '../../../client/client.ts'
import type { OutputOf } from '../../../contract/endpoint.ts'
import type { Contract } from '../../../contract/index.ts'
import { publicApi } from '../../api/client.ts'

export type OpenShare = OutputOf<Contract['sharing']['open']>

/** How far somebody has come with a share link. */
export type ShareState =
  | { phase: 'asking' }
  | { phase: 'locked'; isWrong: boolean; error?: Error }
  | { phase: 'open'; share: OpenShare }
  | { phase: 'gone' }
  | { phase: 'failed'; error: Error }

/** A ticket is asked for again before it ends; where that gives no later end, the link itself is over after it. */
const RENEWALS_MS = [-60_000, 1000]

/** Opens a share link, and keeps it open: the ticket is renewed with the password that was right. */
export function useShare(token: string) {
  const [state, setState] = useState<ShareState>({ phase: 'asking' })
  const known = useRef<string>(undefined)

  const ask = useCallback(
    async (password = known.current) => {
      try {
        const share = await publicApi.sharing.open({ token, password })
        known.current = password
        setState({ phase: 'open', share })
      } catch (error) {
        setState((before) => after(error as Error, before))
      }
    },
    [token],
  )

  useEffect(() => {
    void ask()
  }, [ask])

  const endsAt = state.phase === 'open' ? state.share.expiresAt : undefined
  useEffect(() => {
    if (!endsAt) return
    const left = new Date(endsAt).getTime() - Date.now()
    const timers = RENEWALS_MS.map((ahead) => setTimeout(() => void ask(), Math.max(left + ahead, 0)))
    return () => timers.forEach(clearTimeout)
  }, [endsAt, ask])

  return { state, ask }
}

/** Whoever is in stays in while the server cannot be reached; the canvas says so itself. */
function after(error: Error, before: ShareState): ShareState {
  if (!(error instanceof ApiFailure)) return { phase: 'failed', error }
  if (error.code === 'NOT_FOUND' || error.fieldMessage('body.token')) return { phase: 'gone' }
  if (error.reason === 'password_required') return { phase: 'locked', isWrong: false }
  if (error.reason === 'wrong_password') return { phase: 'locked', isWrong: true }
  if (before.phase === 'open') return before
  return before.phase === 'locked' ? { ...before, isWrong: false, error } : { phase: 'failed', error }
}
