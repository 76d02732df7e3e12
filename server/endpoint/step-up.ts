import type { Caller } from '../context.ts'
import { ApiError, forbidden } from '../errors.ts'

export const STEP_UP_SECONDS = 600

/** Refuses a session whose step-up window is closed; the error lists the methods with which to open it. */
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

/** The refusal with the invalid fields of the input, so that a form shows them before it requires step-up. */
export function withProblems(refusal: ApiError, parse: () => unknown): ApiError {
  try {
    parse()
    return refusal
  } catch (error) {
    if (!(error instanceof ApiError) || !Array.isArray(error.details)) return refusal
    const details = { ...(refusal.details as { reason: string }), invalid: error.details }
    return new ApiError(refusal.code, refusal.message, { details, headers: refusal.headers })
  }
}

export const isStepUpRequired = (error: unknown): error is ApiError =>
  error instanceof ApiError &&
  error.details !== undefined &&
  !Array.isArray(error.details) &&
  error.details.reason === 'step_up_required'

/** Refuses API keys, even those of an owner. */
export function requireBrowser(caller: Caller, area: string): void {
  if (caller.via === 'session') return
  throw forbidden(`${area} requires a browser session`, { reason: 'browser_session_required' })
}
