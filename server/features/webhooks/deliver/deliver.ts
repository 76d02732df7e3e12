import type { JobContext } from '../../../context.ts'
import { ENGLISH } from '../../../mail/words.ts'
import { currentSpan, traceHeaders } from '../../../observability/tracing.ts'
import type { Outcome, TextResponse } from '../../../outbound/outbound.ts'
import { UnsealError } from '../../../security/vault.ts'
import { signatureHeaders } from '../../../signatures/sign.ts'
import { toJsonText } from '../exact-json.ts'
import { openValidSecrets } from '../secrets.ts'
import { type DisableReason, disableFailing, notifyOfFailure, pauseFailing } from './auto-disable.ts'
import type { ClaimedDelivery } from './claim.ts'
import { recordAttempt } from './record-attempt.ts'
import { DISABLED_AFTER_MS, nextAttempt, PAUSED_AFTER } from './retry-schedule.ts'

const GONE = 410

export async function deliver(
  ctx: JobContext<'mail' | 'outbound' | 'vault'>,
  delivery: ClaimedDelivery,
): Promise<boolean> {
  const { orgId, id, webhookId, url, attempt, event } = delivery
  const startedAt = ctx.now()
  const { headers, outcome } = await send(ctx, delivery)
  const now = ctx.now()
  const succeeded = isSuccess(outcome)
  const status = outcome.kind === 'response' ? outcome.response.status : null
  if (status !== null) currentSpan()?.set({ 'http.response.status_code': status })
  if (!succeeded) currentSpan()?.fail(status === null ? 'no_response' : String(status))
  const result = {
    id,
    webhookId,
    eventId: event.id,
    attempt,
    succeeded,
    timedOut: outcome.kind === 'failure' && outcome.timedOut === true,
    nextAttemptAt: succeeded || status === GONE ? null : retryAt(delivery, outcome, now),
    request: { url, headers },
    response: outcome.kind === 'response' ? outcome.response : null,
    error: errorOf(outcome),
    durationMs: outcome.durationMs,
    startedAt,
    now,
  }
  const disableReason = disableReasonOf(delivery, succeeded, status, now)
  const isGivenUp = !succeeded && result.nextAttemptAt === null && delivery.trigger !== 'manual'
  const isPaused = result.timedOut && keepsTimingOut(delivery, now)
  if (disableReason === null && !isGivenUp && !isPaused) {
    await recordAttempt(ctx.sql, orgId, result)
    return succeeded
  }
  await ctx.transaction(async (inside) => {
    await recordAttempt(inside.sql, orgId, result)
    if (disableReason) await disableFailing(inside, orgId, webhookId, disableReason)
    else if (isGivenUp) await notifyOfFailure(inside, orgId, webhookId)
    if (isPaused) await pauseFailing(inside, orgId, webhookId, 'timeouts')
  })
  return succeeded
}

async function send(
  ctx: JobContext<'outbound' | 'vault'>,
  delivery: ClaimedDelivery,
): Promise<{ headers: Record<string, string>; outcome: Outcome<TextResponse> }> {
  const message = readableMessageOf(ctx, delivery)
  if (message === null) {
    return { headers: {}, outcome: { kind: 'failure', error: SECRET_UNREADABLE, durationMs: 0 } }
  }
  const { body } = message
  const headers = { ...message.headers, ...traceHeaders() }
  return { headers, outcome: await ctx.outbound.post(delivery.url, { headers, body }) }
}

const SECRET_UNREADABLE =
  'This webhook’s secret can’t be decrypted, probably because ATRIUM_SECRET was changed: rotate it'

/** Null if the secret can't be decrypted. A member can fix that, so record a failed attempt. */
function readableMessageOf(ctx: JobContext<'vault'>, delivery: ClaimedDelivery) {
  try {
    return signDelivery(ctx, delivery)
  } catch (error) {
    if (error instanceof UnsealError) return null
    throw error
  }
}

/** Stored in English. Mails translate it. */
const { t } = ENGLISH

/** Disables by time only if no other delivery has succeeded since. */
function disableReasonOf(
  { failingSince }: ClaimedDelivery,
  succeeded: boolean,
  status: number | null,
  now: Date,
): DisableReason | null {
  if (status === GONE) return { reason: t`The endpoint responded with 410 Gone`, ifFailingSince: null }
  if (succeeded || failingSince === null) return null
  const ifFailingSince = new Date(now.getTime() - DISABLED_AFTER_MS)
  if (Date.parse(failingSince) > ifFailingSince.getTime()) return null
  return { reason: t`No delivery has succeeded for 120 hours`, ifFailingSince }
}

/** Timeouts occupy the organization's capacity far longer than errors, so fewer are tolerated. */
const keepsTimingOut = ({ failingSince, timeouts }: ClaimedDelivery, now: Date): boolean =>
  timeouts + 1 >= PAUSED_AFTER.timeouts &&
  failingSince !== null &&
  now.getTime() - Date.parse(failingSince) >= PAUSED_AFTER.failingMs

/** Same id on every attempt, new timestamp and signature. */
export function signDelivery(
  ctx: Pick<JobContext<'vault'>, 'vault' | 'now'>,
  delivery: Omit<ClaimedDelivery, 'trigger' | 'failingSince' | 'timeouts'> & {
    trigger?: ClaimedDelivery['trigger']
  },
) {
  const { webhookId, event } = delivery
  const { id, type, source, receivedAt, payload, hops } = event
  const envelope = JSON.stringify({ id, type, timestamp: receivedAt, source })
  const data = delivery.body ? toJsonText(delivery.body) : JSON.stringify(payload)
  const body = `${envelope.slice(0, -1)},"data":${data}}`
  const now = ctx.now()
  const secrets = openValidSecrets(ctx.vault, { ...delivery, id: webhookId }, now)
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Atrium-Webhooks/1',
      'webhook-hops': String(Number(hops ?? 0) + 1),
      ...(delivery.trigger === 'replay' && { 'webhook-replay': delivery.id }),
      ...signatureHeaders({ id, body, secrets, now }),
    },
  }
}

const isSuccess = (outcome: Outcome<TextResponse>) =>
  outcome.kind === 'response' && outcome.response.status >= 200 && outcome.response.status < 300

/** A manual retry doesn't restart the schedule. */
function retryAt(
  { attempt, trigger }: ClaimedDelivery,
  outcome: Outcome<TextResponse>,
  now: Date,
): Date | null {
  if (trigger === 'manual') return null
  const retryAfter = outcome.kind === 'response' ? outcome.response.headers['retry-after'] : undefined
  return nextAttempt(attempt, retryAfter, now)
}

function errorOf(outcome: Outcome<TextResponse>): string | null {
  if (outcome.kind === 'failure') return outcome.error
  return isSuccess(outcome) ? null : `The endpoint responded with ${outcome.response.status}`
}
