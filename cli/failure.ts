import { ApiFailure } from '../client/client.ts'
import { dictionary } from '../contract/dictionary.ts'

/** Scripts rely on these. */
export const EXIT_CODES = {
  failed: 1,
  usage: 2,
  'not signed in': 3,
  refused: 4,
  unreachable: 5,
  interrupted: 130,
  'pipe closed': 141,
} as const

/** `kind` sets the exit code. */
export class Failure extends Error {
  readonly kind: keyof typeof EXIT_CODES
  readonly hint: string | undefined

  constructor(kind: keyof typeof EXIT_CODES, message: string, hint?: string) {
    super(message)
    this.kind = kind
    this.hint = hint
  }
}

/** Assumes a stored key, unless told otherwise. */
class KeyRejected extends Failure {
  readonly server: string

  constructor(server: string) {
    super(
      'not signed in',
      `${server} rejected the API key. It was revoked, or its owner left the organization`,
      'Run `npx atrium login` to sign in again.',
    )
    this.server = server
  }
}

/** For a key from ATRIUM_API_KEY, which signing in wouldn’t replace. */
export const blameEnvironment = (failure: Failure): Failure =>
  failure instanceof KeyRejected
    ? new Failure(
        'not signed in',
        `${failure.server} rejected the API key in ATRIUM_API_KEY. It's mistyped, revoked or expired`,
        'Set a valid key, or unset the variable and run `npx atrium login`.',
      )
    : failure

/** Says why a local file can't be read. */
export const unreadable = (file: string, { code, message }: NodeJS.ErrnoException): string =>
  `can't read ${file}: ${READ_PROBLEMS[code ?? ''] ?? message}`

const READ_PROBLEMS = dictionary<string | undefined>({
  ENOENT: 'file not found',
  EACCES: 'permission denied',
  EISDIR: 'it is a folder',
})

export const ROLE_HINT = 'Ask an organization owner or admin.'

export function explain(error: unknown, server: string): Failure {
  if (error instanceof Failure) return error
  if (!(error instanceof ApiFailure)) return new Failure('failed', String((error as Error)?.message ?? error))
  if (error.status === 0)
    return new Failure(
      'unreachable',
      `${server} cannot be reached`,
      'Check that the server is running and the URL is correct (--server or ATRIUM_SERVER).',
    )
  if (error.code === 'UNREACHABLE') return notAtrium(server, error.status)
  if (error.status === 401) return new KeyRejected(server)
  if (error.status === 403) return new Failure('refused', error.message, refusalHint(error, server))
  if (error.status === 429)
    return new Failure('failed', error.message, 'Wait a moment, then run the command again.')
  const requestNote = error.status >= 500 && error.requestId ? ` (request ${error.requestId})` : ''
  return new Failure('failed', error.message + requestNote)
}

export function notAtrium(server: string, status: number): Failure {
  const isRedirect = status >= 300 && status < 400
  return new Failure(
    'failed',
    isRedirect
      ? `${server} redirects to another URL`
      : `${server} is not an Atrium server (status ${status})`,
    isRedirect ? 'Use the URL it redirects to; often only https:// differs.' : 'Use your dashboard’s URL.',
  )
}

function refusalHint({ reason }: ApiFailure, server: string): string | undefined {
  if (reason === 'browser_session_required') return `Use the dashboard: ${server}`
  if (reason === 'missing_scope') return 'Use a key with this scope, or sign in with `npx atrium login`.'
  if (reason === 'role_required' || reason === 'view_only') return ROLE_HINT
  if (reason === 'read_only_key') return 'Use another key, or sign in with `npx atrium login`.'
  return undefined
}
