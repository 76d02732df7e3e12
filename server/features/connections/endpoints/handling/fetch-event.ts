import type { JobContext } from '../../../../context.ts'
import { ApiError } from '../../../../errors.ts'
import { openConnection, reportFailure } from '../../connections/connections.ts'
import { type NormalizedEvent, sendRequest } from '../../connectors/connectors.ts'
import { connectionDeps, type EndpointOptions } from '../dependencies.ts'
import { mergeKept } from '../queries.ts'
import { planEvent } from '../receive/plan-events.ts'
import { insertEvents, wakeEventWorkers } from '../receive/receive-queries.ts'
import type { EndpointReceiver } from '../receive/receivers.ts'
import { toInboundEvent } from '../receive/store-received.ts'
import { type ClaimedThread, joinThread, lockLeasedThread } from './claim-queries.ts'
import { lockPending, moveToThread, type PendingEvent, updateIgnored, updateRecord } from './event-queries.ts'

/**
 * For an event with only an id. The provider's records replace it, each stored once, with the resulting cursor. False
 * if there was nothing to fetch.
 */
export async function fetchEvent(
  options: EndpointOptions,
  ctx: JobContext<'outbound' | 'vault'>,
  endpoint: EndpointReceiver & { connectionId: string },
  claimed: ClaimedThread,
  event: PendingEvent,
): Promise<boolean> {
  const { fetch } = endpoint.receiver
  const request = fetch?.request(event.record, endpoint.kept)
  if (!fetch || !request) return false
  const { orgId, connectionId } = endpoint
  const deps = connectionDeps(options, ctx)
  const target = await openConnection(deps, orgId, connectionId)
  const exchange = await sendRequest(ctx.outbound, target, request)
  const isGone = !exchange.ok && exchange.failure.means === 'not_found'
  if (!exchange.ok && !isGone) {
    await reportFailure(deps, orgId, connectionId, exchange.failure, target)
    throw new ApiError('PROVIDER_ERROR', exchange.failure.message)
  }
  const { account, kept } = endpoint
  const { events, keep } = exchange.ok
    ? fetch.complete(event.record, exchange.answer.body, { account, kept })
    : (fetch.gone?.(event.record) ?? { events: [] })
  const isItself = ({ externalId }: NormalizedEvent) => externalId === event.externalId
  const otherEvents = new Map(
    events.filter((each) => !isItself(each)).map((each) => [each.externalId, planEvent(endpoint, each)]),
  )
  const inboundEvents = [...otherEvents.values()].map((each) => toInboundEvent(endpoint, each, ctx.now()))
  // Own transaction, since the insert locks other threads in order. After a crash, the events are fetched again and
  // stored once.
  if (inboundEvents.length > 0 && (await insertEvents(ctx.sql, orgId, inboundEvents)).includes(null))
    throw new ApiError('CONFLICT', 'The endpoint was changed at the same time')
  endpoint.kept = { ...kept, ...keep }
  await ctx.transaction(async ({ sql }) => {
    const now = ctx.now()
    const ownRecord = events.find(isItself)
    const plan = ownRecord && planEvent(endpoint, ownRecord)
    const thread = plan?.thread ?? claimed.thread
    const lock = () => lockLeasedThread(sql, orgId, claimed)
    const join = () => joinThread(sql, orgId, endpoint.id, thread, now)
    if (!(await lockPending(sql, orgId, event)) || !(await lockAndJoin(claimed, thread, { lock, join })))
      return
    if (keep) await mergeKept(sql, orgId, endpoint.id, keep)
    if (!plan) return updateIgnored(sql, orgId, event, 'fetched', now)
    const { status, reason, record, eventKey } = plan
    if (status === 'ignored') return updateIgnored(sql, orgId, event, reason!, now)
    await updateRecord(sql, orgId, event, { record, eventKey })
    if (thread === claimed.thread) return
    await moveToThread(sql, orgId, event, thread)
    wakeEventWorkers(sql)
  })
  return true
}

/** Same order as arriving events. False if another worker has the first thread. */
async function lockAndJoin(
  claimed: ClaimedThread,
  thread: string,
  { lock, join }: { lock: () => Promise<boolean>; join: () => Promise<unknown> },
): Promise<boolean> {
  if (thread === claimed.thread) return lock()
  if (thread < claimed.thread) await join()
  if (!(await lock())) return false
  if (thread > claimed.thread) await join()
  return true
}
