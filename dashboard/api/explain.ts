import { ApiFailure } from '../../client/client.ts'

/** What happened, what it means and what to do, in the person's words. */
export interface Explanation {
  title: string
  meaning: string
  requestId?: string
  retryable: boolean
}

export function explain(error: unknown): Explanation {
  if (!(error instanceof ApiFailure)) {
    return {
      title: 'This page stopped working',
      meaning: 'The fault is in the dashboard, and nothing was changed on the server. Reload to continue.',
      retryable: true,
    }
  }
  return { ...words(error), requestId: error.requestId }
}

/** One line for a form or a toast. */
export const explainShortly = (error: unknown) =>
  error instanceof ApiFailure ? shortly(error) : explain(error).title

/** The person chose not to confirm who they are: nothing happened, and nothing needs saying. */
export const isDeclinedStepUp = (error: unknown) =>
  error instanceof ApiFailure && error.reason === 'step_up_required'

function words(error: ApiFailure): Omit<Explanation, 'requestId'> {
  switch (error.code) {
    case 'UNREACHABLE':
      return {
        title: 'The server cannot be reached',
        meaning: 'It is stopped, restarting, or your connection is down. Try again shortly.',
        retryable: true,
      }
    case 'NOT_FOUND':
      return {
        title: 'There is nothing here',
        meaning: 'It was removed, or it belongs to somebody else. Check the address.',
        retryable: false,
      }
    case 'FORBIDDEN':
      return { title: 'You may not open this', meaning: `${error.message}.`, retryable: false }
    case 'RATE_LIMITED':
      return { title: 'Too many requests', meaning: `Try again ${retryTime(error)}.`, retryable: true }
    case 'INTERNAL':
      return {
        title: 'The server failed',
        meaning:
          'It logged the cause under the request id below. Try again; if it stays, tell your operator.',
        retryable: true,
      }
    default:
      return { title: 'The server refused this', meaning: `${error.message}.`, retryable: true }
  }
}

function shortly(error: ApiFailure): string {
  if (error.code === 'UNREACHABLE') return 'The server did not answer. Check your connection and try again.'
  if (error.code === 'RATE_LIMITED') return `Too many tries. Try again ${retryTime(error)}.`
  if (error.code === 'INTERNAL') return 'The server failed and logged why. Try again.'
  if (Array.isArray(error.details) && error.details[0]) {
    const { path, message } = error.details[0]
    return `${path.split('.').at(-1)} ${message}`
  }
  return error.message
}

function retryTime({ retryAfterSeconds: seconds }: ApiFailure): string {
  if (!seconds) return 'in a minute'
  if (seconds < 90) return `in ${Math.ceil(seconds)} seconds`
  return `in ${Math.ceil(seconds / 60)} minutes`
}
