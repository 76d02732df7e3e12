import { RECEIVED_BYTES_MAX } from '../../../../contract/webhooks/webhook-records.ts'
import { ApiError, unauthorized } from '../../../errors.ts'
import type { RefusalReason } from '../../../inbound/receive.ts'

const UNAUTHORIZED_MESSAGES = {
  missing_signature: 'The request has neither a signature nor the secret of this webhook',
  malformed_signature: 'The signature of the request is malformed',
  bad_signature: 'The signature or secret of the request does not match this webhook',
  unaccepted_scheme: 'The request is signed with a scheme that this webhook does not accept',
  several_signatures: 'The request has the signatures of several schemes: send one',
  timestamp_skew: 'The timestamp of the request is too far from the current time',
}

export function refusalError(reason: RefusalReason): ApiError {
  if (reason === 'too_large') return tooLarge()
  if (reason === 'too_many_hops') {
    return new ApiError('CONFLICT', 'Too many webhooks forwarded the event: they form a cycle', {
      details: { reason },
    })
  }
  return unauthorized(UNAUTHORIZED_MESSAGES[reason], { reason })
}

export const tooLarge = () =>
  new ApiError('PAYLOAD_TOO_LARGE', `The body is larger than ${RECEIVED_BYTES_MAX} bytes`, {
    details: { reason: 'too_large' },
  })
