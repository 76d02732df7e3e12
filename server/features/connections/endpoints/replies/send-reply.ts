import type { JobContext } from '../../../../context.ts'
import { ApiError } from '../../../../errors.ts'
import type { WorkerRuntime } from '../../../../feature.ts'
import { waitingIn } from '../../../../jobs/claim-fairly.ts'
import { startOrganizationLoop } from '../../../../jobs/organization-loop.ts'
import { markUsed, openConnection, reportFailure } from '../../connections/connections.ts'
import {
  findDefinition,
  isKeyed,
  type ReceiverDefinition,
  type RequestTemplate,
  retryAfterMs,
  sendRequest,
} from '../../connectors/connectors.ts'
import { connectionDeps, type EndpointOptions } from '../dependencies.ts'
import { REPLIES_CHANNEL } from './conclude-run.ts'
import {
  type ClaimedReply,
  claimReplies,
  markSending,
  REPLIES_QUEUE,
  type ReplyEnd,
  updatePartSent,
  updateReply,
} from './reply-queries.ts'

const CONCURRENCY_MAX = 16
const PER_ORGANIZATION_MAX = 4

/** Longer than all requests for one reply take. */
const LEASE_MS = 600_000

const ATTEMPTS_MAX = 8
const RETRY_MIN_MS = 5000
const RETRY_MAX_MS = 3_600_000
const UNANSWERABLE = 'The connector cannot reply to this event'
const LOST = 'The server stopped while sending the reply: it may have been sent'

export const startReplyWorker = (options: EndpointOptions, runtime: WorkerRuntime) =>
  startOrganizationLoop<ClaimedReply>(runtime, {
    name: 'replies to providers',
    channel: REPLIES_CHANNEL,
    waiting: waitingIn(REPLIES_QUEUE),
    concurrency: CONCURRENCY_MAX,
    perOrganization: PER_ORGANIZATION_MAX,
    leaseMs: LEASE_MS,
    spanOf: ({ orgId, id, connectorSlug, trace }) => ({
      name: 'reply to provider',
      kind: 'client',
      parent: trace,
      attributes: { 'atrium.reply.id': id, 'atrium.connector': connectorSlug },
      inherited: { 'atrium.organization.id': orgId },
    }),
    claim: (request) => claimReplies(runtime.pool, request),
    run: (reply) => sendReply(options, runtime.context(), reply),
  })

type End = Omit<ReplyEnd, 'now'>

/** Sends each request at most once, unless the provider deduplicates by key. */
export async function sendReply(
  options: EndpointOptions,
  ctx: JobContext<'outbound' | 'vault'>,
  reply: ClaimedReply,
): Promise<void> {
  const end = await send(options, ctx, reply).catch((error: unknown): End => {
    if (!(error instanceof ApiError)) throw error
    // The connection stopped working, so the reply waits for it.
    return { status: 'pending', error: error.message, dueAt: retryTimeOf(ctx, reply.attempts) }
  })
  if (end) await updateReply(ctx.sql, reply.orgId, reply, { ...end, now: ctx.now() })
}

/** Null if another worker has the reply. */
async function send(
  options: EndpointOptions,
  ctx: JobContext<'outbound' | 'vault'>,
  reply: ClaimedReply,
): Promise<End | null> {
  const { orgId, id, connectionId, sendingPart } = reply
  const definition = await findDefinition(ctx.sql, orgId, reply.connectorSlug)
  const requests = buildRequests(definition?.receiver, reply)
  if (requests === null) return { status: 'failed', error: UNANSWERABLE, dueAt: null }
  if (sendingPart !== null && !isKeyed(requests[sendingPart]))
    return { status: 'unknown', error: LOST, dueAt: null }
  const deps = connectionDeps(options, ctx)
  const target = await openConnection(deps, orgId, connectionId)
  for (let part = reply.partsSent; part < requests.length; part++) {
    const request = requests[part]!
    if (!(await markSending(ctx.sql, orgId, reply, part))) return null
    const exchange = await sendRequest(ctx.outbound, target, request, { idempotencyKey: `${id}-${part}` })
    if (!exchange.ok) {
      await reportFailure(deps, orgId, connectionId, exchange.failure, target)
      const waitMs = exchange.answer
        ? retryAfterMs(target.definition, exchange.answer.headers, ctx.now())
        : null
      return endAfterFailure(ctx, reply, exchange, { isKeyed: isKeyed(request), waitMs })
    }
    await updatePartSent(ctx.sql, orgId, reply, part + 1)
  }
  await markUsed(ctx.sql, orgId, connectionId, ctx.now())
  return { status: 'sent', error: null, dueAt: null }
}

/** Null if no request can be built, for example for a sender without a usable address. */
function buildRequests(
  receiver: ReceiverDefinition | undefined,
  { record, text }: ClaimedReply,
): readonly RequestTemplate[] | null {
  try {
    const built = receiver?.reply?.(record, text)
    return built ? ([built].flat() as RequestTemplate[]) : null
  } catch {
    return null
  }
}

/** Rejected credentials or a rate limit prove that the provider didn't act. A broken exchange proves nothing. */
function endAfterFailure(
  ctx: JobContext,
  { attempts }: ClaimedReply,
  { failure, answer }: Extract<Awaited<ReturnType<typeof sendRequest>>, { ok: false }>,
  { isKeyed, waitMs }: { isKeyed: boolean; waitMs: number | null },
): End {
  const { means, message: error } = failure
  const isRefused =
    means === 'expired' ||
    means === 'revoked' ||
    (means === 'slow_down' && (answer?.status !== 503 || waitMs !== null))
  const isUnclear = means === 'unreachable' || means === 'slow_down'
  if (!isRefused && isUnclear && !isKeyed) return { status: 'unknown', error, dueAt: null }
  if (!isRefused && !isUnclear) return { status: 'failed', error, dueAt: null }
  if (attempts >= ATTEMPTS_MAX) return { status: 'failed', error, dueAt: null }
  const dueAt = waitMs === null ? retryTimeOf(ctx, attempts) : new Date(ctx.now().getTime() + waitMs)
  return { status: 'pending', error, dueAt }
}

const retryTimeOf = (ctx: JobContext, attempts: number) =>
  new Date(ctx.now().getTime() + Math.min(RETRY_MIN_MS * 2 ** attempts, RETRY_MAX_MS))
