import type { Caller } from '../context.ts'
import { ApiError, forbidden } from '../errors.ts'

export const STEP_UP_SECONDS = 600

/** Refuses a caller who has not proved who they are within the window, and tells the client how they can. */
export function requireStepUp(caller: Caller, area: string, now: Date): void {
  requireBrowser(caller, area)
  if (caller.stepUpUntil !== null && new Date(caller.stepUpUntil) > now) return
  throw new ApiError('FORBIDDEN', 'Step-up authentication required', {
    details: { reason: 'step_up_required', methods: [...caller.stepUpMethods] },
    headers: {
      'www-authenticate': `Bearer error="insufficient_user_authentication", max_age="${STEP_UP_SECONDS}"`,
    },
  })
}

/** Refuses API keys, whoever owns them. */
export function requireBrowser(caller: Caller, area: string): void {
  if (caller.via === 'session') return
  throw forbidden(`${area} requires a browser session`, { reason: 'browser_session_required' })
}
