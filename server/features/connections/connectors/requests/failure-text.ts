import { MAY_HAVE_HAPPENED } from '../../../../tools/tool.ts'
import type { ConnectorDefinition } from '../definition/definition.ts'
import type { Failure } from './failure.ts'

export interface FailedCall {
  failure: Failure
  httpStatus: number | null
  retryAt: Date | null
  /** The provider may have acted although it did not confirm it. */
  mayHaveHappened: boolean
  /** The request cannot be built from this input: nothing was sent to the provider. */
  isUnsent?: true
}

/** A failure as a model reads it, with the code and the message of the provider. */
export function failureText({ name }: Pick<ConnectorDefinition, 'name'>, failed: FailedCall): string {
  const { failure, httpStatus, retryAt, mayHaveHappened } = failed
  const codes = [failure.code === failure.message ? null : failure.code, httpStatus].filter(
    (code) => code !== null && code !== '',
  )
  const message = failure.message.replace(/(?<! )\.$/, '')
  if (failed.isUnsent) return `This call was not sent to ${name}: ${message}.`
  const detail = `${message}${codes.length > 0 ? ` (${codes.join(', ')})` : ''}`
  const parts = [`${name} ${VERBS[failure.means]}: ${detail}.`]
  if (failure.means === 'slow_down')
    parts.push(
      retryAt ? `Try again after ${retryAt.toISOString()}, not earlier.` : 'Try again in a few minutes.',
    )
  if (failure.means === 'forbidden') parts.push('The account may lack the permission for it.')
  if (mayHaveHappened) parts.push(MAY_HAVE_HAPPENED)
  return parts.join(' ')
}

const VERBS: Record<Failure['means'], string> = {
  expired: 'no longer accepts the credentials of this connection',
  revoked: 'no longer accepts the credentials of this connection',
  slow_down: 'limits requests',
  not_found: 'did not find this',
  forbidden: 'refused this',
  invalid: 'refused this',
  failed: 'refused this',
  unreachable: 'could not be reached or failed',
}
