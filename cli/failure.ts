import { ApiFailure } from '../client/client.ts'

/** What a script can tell apart. */
export const EXIT_CODES = {
  failed: 1,
  usage: 2,
  'not signed in': 3,
  refused: 4,
  unreachable: 5,
  interrupted: 130,
} as const

/** A failure in words for a person, and a kind for a script. */
export class Failure extends Error {
  readonly kind: keyof typeof EXIT_CODES
  /** What to do about it. */
  readonly advice: string | undefined

  constructor(kind: keyof typeof EXIT_CODES, message: string, advice?: string) {
    super(message)
    this.kind = kind
    this.advice = advice
  }
}

/** Says of a refused or failed call what it means here. */
export function explain(error: unknown, server: string): Failure {
  if (error instanceof Failure) return error
  if (!(error instanceof ApiFailure)) return new Failure('failed', String((error as Error)?.message ?? error))
  if (error.status === 0)
    return new Failure(
      'unreachable',
      `${server} cannot be reached`,
      'Is it running, and is the address right? --server URL or ATRIUM_SERVER names another.',
    )
  if (error.code === 'UNREACHABLE') return notAtrium(server, error.status)
  if (error.status === 401)
    return new Failure(
      'not signed in',
      `${server} does not accept this key: it was revoked, or its owner has left`,
      'Run `atrium login` to sign in again.',
    )
  if (error.status === 403) return new Failure('refused', error.message, refusalAdvice(error, server))
  if (error.status === 429)
    return new Failure('failed', error.message, 'Too many requests came from here; wait a moment.')
  const traced = error.status >= 500 && error.requestId ? ` (request ${error.requestId})` : ''
  return new Failure('failed', error.message + traced)
}

export function notAtrium(server: string, status: number): Failure {
  const moved = status >= 300 && status < 400
  return new Failure(
    'failed',
    moved ? `${server} redirects elsewhere` : `${server} does not answer like an Atrium (status ${status})`,
    moved
      ? 'Give the address it leads to, which often only differs in https://.'
      : 'Check the address: --server takes the one you open the dashboard with.',
  )
}

function refusalAdvice({ reason }: ApiFailure, server: string): string | undefined {
  if (reason === 'browser_session_required') return `Do it in the dashboard: ${server}`
  if (reason === 'missing_scope')
    return `Use a key that has it, or \`atrium login\`, whose key may do all of this.`
  return undefined
}
