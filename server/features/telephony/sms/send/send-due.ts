import type { JobContext } from '../../../../context.ts'
import type { Sql } from '../../../../database/database.ts'
import { ApiError } from '../../../../errors.ts'
import { publishIn } from '../../../../events/publish.ts'
import type { WorkerRuntime } from '../../../../feature.ts'
import { waitingIn } from '../../../../jobs/claim-fairly.ts'
import { startOrganizationLoop } from '../../../../jobs/organization-loop.ts'
import type { Carrier, CarrierFailure } from '../../carrier/carrier.ts'
import { openCarrier } from '../../carrier/open-carrier.ts'
import { OPTED_OUT } from '../../carrier/twilio-errors.ts'
import { callbackUrl, publicBase } from '../../carrier/urls.ts'
import { releaseCost } from '../../costs/budget.ts'
import type { TelephonyOptions } from '../../dependencies.ts'
import { insertOptOut, isOptedOut } from '../opt-outs.ts'
import { acceptSms, RESPONSE_LOST } from '../status.ts'
import { mediaUrls } from './media.ts'
import {
  type ClaimedSender,
  claimSenders,
  findDue,
  findSendingNumber,
  listStoredIds,
  markSending,
  type OutboundSms,
  type Retry,
  releaseSender,
  SENDERS_QUEUE,
  type SendingNumber,
  updateFailed,
  updateRetry,
} from './queries.ts'
import { SMS_CHANNEL } from './queue-sms.ts'

const CONCURRENCY_MAX = 32
const PER_ORGANIZATION_MAX = 8

/** Longer than one message's requests take. */
const LEASE_MS = 180_000

const FAULT_PAUSE_MS = 60_000

/** The rate that carriers accept per number. */
const PER_MESSAGE_MS = 1000

const ATTEMPTS_MAX = 10
const RETRY_MIN_MS = 5000
const RETRY_MAX_MS = 3_600_000
const LOOKUP_PAUSE_MS = 15_000

/** After a lost response, a message appears at the carrier within this time. */
const LOOKUP_MAX_MS = 120_000

/** How long to repeat the lookup while the carrier is unreachable. */
const UNREACHABLE_MAX_MS = 86_400_000

/** Maximum skew between carrier and server. */
const CLOCK_SKEW_MAX_MS = 60_000

const LOST = 'The carrier’s response was lost: the message may have been sent'

type Outcome =
  | { kind: 'accepted'; providerId: string; segments: number | null }
  | { kind: 'failed'; code: string | null; message: string; hasOptedOut?: boolean }
  | ({ kind: 'retry' } & Retry)
  | { kind: 'none' }

/** At most one per second and number. */
export const startSender = (options: TelephonyOptions, runtime: WorkerRuntime) =>
  startOrganizationLoop<ClaimedSender>(runtime, {
    name: 'text messages',
    channel: SMS_CHANNEL,
    waiting: waitingIn(SENDERS_QUEUE),
    concurrency: CONCURRENCY_MAX,
    perOrganization: PER_ORGANIZATION_MAX,
    leaseMs: LEASE_MS,
    claim: (request) => claimSenders(runtime.pool, request),
    run: (sender) => sendDue(options, runtime.context(), sender),
    release: (sender) => releaseAfterFault(runtime.context(), sender),
  })

export async function sendDue(
  options: TelephonyOptions,
  ctx: JobContext<'objects' | 'outbound' | 'vault'>,
  sender: ClaimedSender,
): Promise<void> {
  const { orgId, numberId } = sender
  const message = await findDue(ctx.sql, orgId, numberId, ctx.now())
  if (message) await storeOutcome(ctx, sender, message, await outcomeOf(options, ctx, sender, message))
  const heldUntil = new Date(ctx.now().getTime() + (message ? PER_MESSAGE_MS : 0))
  await ctx.transaction(({ sql }) => releaseSender(sql, orgId, sender, heldUntil))
}

async function outcomeOf(
  options: TelephonyOptions,
  ctx: JobContext<'objects' | 'outbound' | 'vault'>,
  sender: ClaimedSender,
  message: OutboundSms,
): Promise<Outcome> {
  const number = await findSendingNumber(ctx.sql, sender.orgId, sender.numberId)
  if (!number) return { kind: 'failed', code: 'number_released', message: 'The number was released' }
  try {
    const carrier = await openCarrier(options, ctx, sender.orgId, number.connectionId)
    return await send(options, ctx, sender, { number, message, carrier })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    // The account is unusable now, so the message waits.
    return notReached(ctx, message, error.message)
  }
}

interface SendAttempt {
  number: SendingNumber
  message: OutboundSms
  carrier: Carrier
}

async function send(
  options: TelephonyOptions,
  ctx: JobContext<'objects'>,
  sender: ClaimedSender,
  { number, message, carrier }: SendAttempt,
): Promise<Outcome> {
  const { orgId } = sender
  const { id, to, body, attemptedAt } = message
  if (attemptedAt !== null) {
    const found = await findAtCarrier(ctx.sql, orgId, carrier, { from: number.e164, to, body, attemptedAt })
    if (found.kind === 'found') return { kind: 'accepted', ...found.sms }
    if (found.kind === 'unreachable') return notReached(ctx, message, LOST)
    if (message.status === 'sending') return notFoundYet(ctx, message)
  }
  const pair = { numberId: number.id, peer: to }
  if (message.purpose !== 'notice' && (await isOptedOut(ctx.sql, orgId, pair)))
    return { kind: 'failed', code: 'recipient_opted_out', message: 'The recipient has opted out' }
  const base = publicBase(options, ctx)
  const media = { fileIds: message.media, userId: message.createdBy }
  const urls = await mediaUrls(ctx, orgId, media, base)
  if (urls === null)
    return { kind: 'failed', code: 'media_missing', message: 'A file in the message can no longer be read' }
  if (!(await markSending(ctx.sql, orgId, id, sender, ctx.now()))) return { kind: 'none' }
  const sent = await carrier.sendSms({
    ...{ from: number.e164, to, body, mediaUrls: urls },
    // Includes the message id, so its status names it even if the response is lost.
    statusUrl: callbackUrl(base, 'status', { number: number.id, sms: id }),
  })
  return sent.ok ? { kind: 'accepted', ...sent.value } : afterFailure(ctx, message, sent.failure)
}

function afterFailure(ctx: JobContext, message: OutboundSms, failure: CarrierFailure): Outcome {
  const { status, code, isRefused } = failure
  const now = ctx.now()
  if (status === null)
    return {
      ...{ kind: 'retry', status: 'sending', error: LOST, attemptedAt: now },
      dueAt: new Date(now.getTime() + LOOKUP_PAUSE_MS),
    }
  // The carrier may have acted before it failed, so its state is read before the next attempt.
  if (!isRefused) return retryLater(ctx, message, failure.message, { code, attemptedAt: now })
  const isTemporary = status === 429 || status === 401 || status === 403
  if (isTemporary) return retryLater(ctx, message, failure.message, { code, attemptedAt: null })
  return { kind: 'failed', code, message: failure.message, hasOptedOut: code === OPTED_OUT }
}

function retryLater(
  ctx: JobContext,
  { attempts }: OutboundSms,
  error: string,
  { code, attemptedAt }: { code: string | null; attemptedAt: Retry['attemptedAt'] },
): Outcome {
  if (attempts + 1 >= ATTEMPTS_MAX)
    return attemptedAt === null
      ? { kind: 'failed', code, message: error }
      : { kind: 'failed', code: RESPONSE_LOST, message: LOST }
  const dueAt = new Date(ctx.now().getTime() + Math.min(RETRY_MIN_MS * 2 ** attempts, RETRY_MAX_MS))
  return { kind: 'retry', status: 'queued', error, dueAt, attemptedAt }
}

/** No request was made now. After a lost response, a message is never sent a second time. */
function notReached(ctx: JobContext, message: OutboundSms, error: string): Outcome {
  const { status, attemptedAt } = message
  if (status === 'queued' || attemptedAt === null)
    return retryLater(ctx, message, error, { code: null, attemptedAt })
  return lookAgain(ctx, message, UNREACHABLE_MAX_MS)
}

/** Not at the carrier, at least not yet. */
const notFoundYet = (ctx: JobContext, message: OutboundSms): Outcome => lookAgain(ctx, message, LOOKUP_MAX_MS)

function lookAgain(ctx: JobContext, { status, attemptedAt }: OutboundSms, maxMs: number): Outcome {
  const now = ctx.now().getTime()
  if (now - Date.parse(attemptedAt!) >= maxMs) return { kind: 'failed', code: RESPONSE_LOST, message: LOST }
  return { kind: 'retry', status, error: LOST, dueAt: new Date(now + LOOKUP_PAUSE_MS), attemptedAt }
}

const storeOutcome = (
  ctx: JobContext,
  { orgId, numberId }: ClaimedSender,
  message: OutboundSms,
  outcome: Outcome,
) =>
  ctx.transaction(async ({ sql }) => {
    const { id, to: peer, projectId } = message
    const now = ctx.now()
    if (outcome.kind === 'none') return
    if (outcome.kind === 'accepted') return acceptSms(sql, orgId, id, { ...outcome, now })
    if (outcome.kind === 'retry') return void (await updateRetry(sql, orgId, id, outcome))
    if (outcome.hasOptedOut) await insertOptOut(sql, orgId, { numberId, peer }, { source: 'carrier', now })
    if (!(await updateFailed(sql, orgId, id, outcome))) return
    await releaseCost(sql, orgId, id)
    await publishIn(sql, orgId, now, {
      type: 'sms.failed',
      data: { smsId: id, projectId, numberId, status: 'failed', errorCode: outcome.code },
    })
  })

type LookupResult =
  | { kind: 'found'; sms: { providerId: string; segments: number | null } }
  | { kind: 'missing' }
  | { kind: 'unreachable' }

/** Matches the same text between the same numbers, not stored here as another message. */
async function findAtCarrier(
  sql: Sql,
  orgId: string,
  carrier: Carrier,
  { from, to, body, attemptedAt }: { from: string; to: string; body: string; attemptedAt: string },
): Promise<LookupResult> {
  const since = new Date(Date.parse(attemptedAt) - CLOCK_SKEW_MAX_MS)
  const recent = await carrier.listSms({ from, to, since })
  if (!recent.ok) return { kind: 'unreachable' }
  const sameText = recent.value.filter((sms) => sms.body.trim() === body.trim())
  const storedIds = await listStoredIds(
    sql,
    orgId,
    sameText.map(({ providerId }) => providerId),
  )
  const sms = sameText.find(({ providerId }) => !storedIds.has(providerId))
  return sms ? { kind: 'found', sms } : { kind: 'missing' }
}

/** Waits a minute. A message being sent is looked up at the carrier. */
const releaseAfterFault = (ctx: JobContext, sender: ClaimedSender) =>
  ctx.transaction(({ sql }) =>
    releaseSender(sql, sender.orgId, sender, new Date(ctx.now().getTime() + FAULT_PAUSE_MS)),
  )
