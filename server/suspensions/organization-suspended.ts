import { ApiError } from '../errors.ts'
import type { Suspension } from './suspension-queries.ts'

/** Senders of webhooks repeat an event after a 503. */
const RETRY_AFTER_S = 3600

type ReportedSuspension = Pick<Suspension, 'kind' | 'reason' | 'since' | 'eraseAfter'>

/** For members, their keys and apps. */
export const organizationSuspended = (suspension: ReportedSuspension): ApiError =>
  new ApiError('FORBIDDEN', messageOf(suspension), { details: detailsOf(suspension) })

/** For guests, to whom the reason is not shown. */
export const unavailableToGuests = (suspension: ReportedSuspension): ApiError =>
  new ApiError('FORBIDDEN', 'The organization of this link is suspended', {
    details: { reason: 'organization_suspended', since: suspension.since },
  })

/** For external senders, whom the response asks to send the event again later. */
export const unavailableToSenders = (): ApiError =>
  new ApiError('UNAVAILABLE', 'The receiving organization is suspended: send the request again later', {
    details: { reason: 'organization_suspended' },
    headers: { 'retry-after': String(RETRY_AFTER_S) },
  })

const detailsOf = ({ kind, since, eraseAfter }: ReportedSuspension) => ({
  reason: 'organization_suspended',
  since,
  ...(kind === 'erasure' && { eraseAfter }),
})

const messageOf = ({ kind, reason }: ReportedSuspension) =>
  kind === 'erasure'
    ? 'This organization is scheduled for erasure. An owner can cancel the erasure in the dashboard'
    : `This organization is suspended: ${reason.replace(/[.\s]+$/, '')}. Ask the operator of this server`
