import type { JobContext } from '../../../context.ts'
import type { Outcome, TextResponse } from '../../../outbound/outbound.ts'
import { signatureHeaders } from '../../../signatures/sign.ts'
import { secretsOf } from '../secrets.ts'
import { giveUp, type Hopeless } from './auto-disable.ts'
import { type Claimed, updateAttempted } from './delivery-queries.ts'
import { GIVEN_UP_AFTER_MS, nextAttempt } from './schedule.ts'

const GONE = 410

/** One attempt, and what follows from it. */
export async function deliver(ctx: JobContext, delivery: Claimed): Promise<void> {
  const { orgId, id, webhookId, url, attempt, event } = delivery
  const startedAt = ctx.now()
  const { headers, outcome } = await attemptOf(ctx, delivery)
  const now = ctx.now()
  const succeeded = isSuccess(outcome)
  const status = outcome.kind === 'response' ? outcome.response.status : null
  const attempted = {
    id,
    webhookId,
    eventId: event.id,
    attempt,
    succeeded,
    nextAttemptAt: succeeded || status === GONE ? null : retryAt(delivery, outcome, now),
    request: { url, headers },
    response: outcome.kind === 'response' ? outcome.response : null,
    error: errorOf(outcome),
    durationMs: outcome.durationMs,
    startedAt,
    now,
  }
  const hopeless = hopelessOf(delivery, succeeded, status, now)
  if (hopeless === null) return updateAttempted(ctx.sql, orgId, attempted)
  await ctx.transaction(async (inside) => {
    await updateAttempted(inside.sql, orgId, attempted)
    await giveUp(inside, orgId, webhookId, hopeless)
  })
}

async function attemptOf(
  ctx: JobContext,
  delivery: Claimed,
): Promise<{ headers: Record<string, string>; outcome: Outcome<TextResponse> }> {
  const message = signed(ctx, delivery)
  if (message === null) return { headers: {}, outcome: { kind: 'failure', error: UNREADABLE, durationMs: 0 } }
  const { headers, body } = message
  return { headers, outcome: await ctx.outbound.post(delivery.url, { headers, body }) }
}

const UNREADABLE = 'The secret of this webhook cannot be read, as after a change of ATRIUM_SECRET: rotate it'

/** Null if there is nothing to sign with: that is for whoever looks after the webhook to know, and to mend. */
function signed(ctx: JobContext, delivery: Claimed) {
  try {
    return messageOf(ctx, delivery)
  } catch {
    return null
  }
}

/** Why the webhook is given up, if it is; by time only if meanwhile nothing else has got through. */
function hopelessOf(
  { failingSince }: Claimed,
  succeeded: boolean,
  status: number | null,
  now: Date,
): Hopeless | null {
  if (status === GONE) return { reason: 'The address answered 410 Gone', ifFailingSince: null }
  if (succeeded || failingSince === null) return null
  const ifFailingSince = new Date(now.getTime() - GIVEN_UP_AFTER_MS)
  if (Date.parse(failingSince) > ifFailingSince.getTime()) return null
  return { reason: 'Nothing has been delivered for 120 hours', ifFailingSince }
}

/** What the other end gets: the same id on every attempt, time and signature of this one. */
export function messageOf(
  ctx: Pick<JobContext, 'vault' | 'now'>,
  delivery: Omit<Claimed, 'trigger' | 'failingSince'>,
) {
  const { webhookId, event } = delivery
  const { id, type, source, receivedAt, payload, hops } = event
  const body = JSON.stringify({ id, type, timestamp: receivedAt, source, data: payload })
  const now = ctx.now()
  const secrets = secretsOf(ctx.vault, { ...delivery, id: webhookId }, now)
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Atrium-Webhooks/1',
      'webhook-hops': String(Number(hops ?? 0) + 1),
      ...signatureHeaders({ id, body, secrets, now }),
    },
  }
}

const isSuccess = (outcome: Outcome<TextResponse>) =>
  outcome.kind === 'response' && outcome.response.status >= 200 && outcome.response.status < 300

/** What somebody asked for by hand is tried once; it does not begin the schedule anew. */
function retryAt({ attempt, trigger }: Claimed, outcome: Outcome<TextResponse>, now: Date): Date | null {
  if (trigger === 'manual') return null
  const asked = outcome.kind === 'response' ? outcome.response.headers['retry-after'] : undefined
  return nextAttempt(attempt, asked, now)
}

function errorOf(outcome: Outcome<TextResponse>): string | null {
  if (outcome.kind === 'failure') return outcome.error
  return isSuccess(outcome) ? null : `The address answered ${outcome.response.status}`
}
