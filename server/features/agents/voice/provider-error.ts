import { ApiError } from '../../../errors.ts'
import type { ModelFailure } from '../../../language-models/failures.ts'

/** After the whole request was sent, the provider may have done the work. */
export const mayHaveCost = ({ kind }: ModelFailure): boolean =>
  kind === 'timed_out' || kind === 'canceled' || kind === 'interrupted'

export function providerError(failure: ModelFailure, what: 'recording' | 'answer'): ApiError {
  const { kind, status, retryAfterMs, message } = failure
  // Its usual words are about a conversation.
  const text = status === 413 ? `The provider accepts no ${what} this long (HTTP 413)` : message
  return new ApiError('PROVIDER_ERROR', text, {
    details: { reason: kind },
    ...(retryAfterMs !== null && { headers: { 'retry-after': String(Math.ceil(retryAfterMs / 1000)) } }),
  })
}
