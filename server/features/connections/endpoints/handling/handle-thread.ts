import {
  ENDPOINT_PAUSES,
  type EndpointPause,
} from '../../../../../contract/connections/connector-endpoint-options.ts'
import { recordAudit } from '../../../../audit/record.ts'
import { createContext, type JobContext } from '../../../../context.ts'
import { ApiError } from '../../../../errors.ts'
import type { WorkerRuntime } from '../../../../feature.ts'
import { startOrganizationLoop } from '../../../../jobs/organization-loop.ts'
import { inSpan } from '../../../../observability/tracing.ts'
import { type ConnectionDependencies, openConnection } from '../../connections/connections.ts'
import { sendRequest } from '../../connectors/connectors.ts'
import { connectionDeps, type EndpointOptions } from '../dependencies.ts'
import { notifyOwner } from '../notify-owner.ts'
import { updatePaused } from '../queries.ts'
import { EVENTS_CHANNEL, findOrgReceiver } from '../receive/receive-queries.ts'
import { type EndpointReceiver, openReceiver } from '../receive/receivers.ts'
import {
  type ClaimedThread,
  claimThreads,
  lockLeasedThread,
  releaseThread,
  threadsWaiting,
} from './claim-queries.ts'
import { applyChange, deliver } from './deliver.ts'
import { readRights } from './endpoint-rights.ts'
import { findNext, lockPending, type PendingEvent, updateFailure, updateStarted } from './event-queries.ts'
import { fetchEvent } from './fetch-event.ts'
import { storeImages } from './store-images.ts'

const CONCURRENCY_MAX = 16
const PER_ORGANIZATION_MAX = 8

/** Longer than one claim takes, with provider requests. */
const LEASE_MS = 180_000

const FAULT_PAUSE_MS = 60_000

/** Other threads then get their turn. */
const EVENTS_PER_CLAIM = 20

/** Well below the lease, with one provider request on top. */
const CLAIM_MS = 60_000

const ATTEMPTS_MAX = 10
const RETRY_MIN_MS = 5000
const RETRY_MAX_MS = 3_600_000

/** A thread is one conversation at a provider, handled in order. */
export const startEventWorker = (options: EndpointOptions, runtime: WorkerRuntime) =>
  startOrganizationLoop<ClaimedThread>(runtime, {
    name: 'provider events',
    channel: EVENTS_CHANNEL,
    waiting: threadsWaiting,
    concurrency: CONCURRENCY_MAX,
    perOrganization: PER_ORGANIZATION_MAX,
    leaseMs: LEASE_MS,
    // Each event continues its own request's trace.
    spanOf: () => null,
    claim: (request) => claimThreads(runtime.pool, request),
    run: (thread) => handleThread(options, runtime.context(), thread),
    release: (thread) => releaseAfterFault(runtime.context(), thread),
  })

type HandlingContext = JobContext<'mail' | 'objects' | 'outbound' | 'quotas' | 'vault'>

/** In arrival order, each in one transaction. */
export async function handleThread(
  options: EndpointOptions,
  ctx: HandlingContext,
  claimed: ClaimedThread,
): Promise<void> {
  const { orgId, endpointId, thread } = claimed
  let failures = claimed.failures
  const after = (ms: number) => new Date(ctx.now().getTime() + ms)
  let retryAt: Date | null = null
  const endpoint = await findEndpoint(options, ctx, claimed)
  if (endpoint) {
    const startedAt = performance.now()
    const hasTime = () => performance.now() - startedAt < CLAIM_MS
    for (let count = 0; count < EVENTS_PER_CLAIM && hasTime(); count++) {
      const event = await findNext(ctx.sql, orgId, endpointId, thread)
      if (!event) break
      try {
        const outcome = await inSpan(
          () => spanOf(event),
          () => handleEvent(options, ctx, endpoint, claimed, event),
        )
        if (outcome === 'stop') break
        failures = 0
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        failures++
        const isLast = failures >= ATTEMPTS_MAX
        await fail(ctx, claimed, event, error.message, isLast)
        if (isLast) failures = 0
        else {
          retryAt = after(Math.min(RETRY_MIN_MS * 2 ** failures, RETRY_MAX_MS))
          break
        }
      }
    }
  } else {
    // The connector is gone, or the server's secret changed. Events wait for both.
    retryAt = after(RETRY_MAX_MS)
  }
  await ctx.transaction(async ({ sql }) => {
    if (await lockLeasedThread(sql, orgId, claimed))
      await releaseThread(sql, orgId, claimed, { retryAt, failures, now: ctx.now() })
  })
}

const spanOf = ({ orgId, endpointId, eventKey, id, trace }: PendingEvent) => ({
  name: 'process provider event',
  kind: 'consumer' as const,
  parent: trace,
  attributes: { 'atrium.event.id': id, 'atrium.event.type': eventKey, 'atrium.endpoint.id': endpointId },
  inherited: { 'atrium.organization.id': orgId },
})

type Endpoint = EndpointReceiver & { connectionId: string }

async function findEndpoint(
  options: EndpointOptions,
  ctx: JobContext<'outbound' | 'vault'>,
  { orgId, endpointId }: ClaimedThread,
): Promise<Endpoint | null> {
  const row = await findOrgReceiver(ctx.sql, orgId, endpointId)
  const endpoint = row && (await openReceiver(options, ctx, row))
  return endpoint && { ...endpoint, connectionId: row.connectionId }
}

/** `stop`: lost the thread, or its events are held. */
async function handleEvent(
  options: EndpointOptions,
  ctx: HandlingContext,
  endpoint: Endpoint,
  claimed: ClaimedThread,
  pending: PendingEvent,
): Promise<'next' | 'stop'> {
  if (await fetchEvent(options, ctx, endpoint, claimed, pending)) return 'next'
  const event = await storeImages(options, ctx, endpoint, pending)
  const { name: connectorName } = endpoint.definition
  const choices = await options.models.choices(event.orgId)
  const result = await ctx.transaction(async (inside) => {
    const { sql } = inside
    if (!(await lockPending(sql, event.orgId, event))) return { outcome: 'next' as const }
    if (!(await lockLeasedThread(sql, event.orgId, claimed))) return { outcome: 'stop' as const }
    const rights = await readRights(sql, event.orgId, endpoint.id)
    if (rights.kind === 'held') return { outcome: 'stop' as const }
    if (rights.kind === 'obstacle') {
      await pauseEndpoint(inside, event.orgId, endpoint.id, rights)
      return { outcome: 'stop' as const }
    }
    const callerCtx = createContext({ ...inside, caller: rights.caller })
    if (event.record.change !== 'created') {
      await applyChange(callerCtx, rights.endpoint, connectorName, event)
      return { outcome: 'next' as const }
    }
    const started = await deliver(choices, callerCtx, rights.endpoint, connectorName, event)
    await updateStarted(sql, event.orgId, event, started)
    return { outcome: 'next' as const, isStarted: true }
  })
  if ('isStarted' in result) showTyping(options, connectionDeps(options, ctx), endpoint, event)
  return result.outcome
}

const fail = (ctx: JobContext, claimed: ClaimedThread, event: PendingEvent, error: string, isLast: boolean) =>
  ctx.transaction(async ({ sql }) => {
    if (!(await lockPending(sql, event.orgId, event)) || !(await lockLeasedThread(sql, event.orgId, claimed)))
      return
    await updateFailure(sql, event.orgId, event, { error, isLast, now: ctx.now() })
  })

/** Nobody waits for it, and failures are ignored. */
function showTyping(
  { log }: Pick<EndpointOptions, 'log'>,
  deps: ConnectionDependencies,
  { orgId, receiver, connectionId }: EndpointReceiver & { connectionId: string },
  { record, id }: PendingEvent,
): void {
  const request = receiver.typing?.(record)
  if (!request) return
  openConnection(deps, orgId, connectionId)
    .then((target) => sendRequest(deps.outbound, target, request))
    .catch((err: unknown) =>
      log.debug({ err, eventId: id }, 'could not show that an answer is being written'),
    )
}

/** Waits a minute, so that the conversation can't occupy the workers. */
const releaseAfterFault = (ctx: JobContext, claimed: ClaimedThread) =>
  ctx.transaction(async ({ sql }) => {
    const now = ctx.now()
    const retryAt = new Date(now.getTime() + FAULT_PAUSE_MS)
    if (await lockLeasedThread(sql, claimed.orgId, claimed))
      await releaseThread(sql, claimed.orgId, claimed, { retryAt, failures: claimed.failures + 1, now })
  })

interface Pause {
  reason: EndpointPause
  ownerId: string
  connectionId: string
  name: string
}

async function pauseEndpoint(
  ctx: JobContext<'mail' | 'vault'>,
  orgId: string,
  id: string,
  { reason, ownerId, connectionId, name }: Pause,
): Promise<void> {
  const now = ctx.now()
  await updatePaused(ctx.sql, orgId, id, reason, now)
  await recordAudit(ctx, {
    action: 'connector-endpoint.paused',
    by: { orgId, userId: ownerId, via: 'system' },
    target: id,
    details: { name, reason },
  })
  await notifyOwner(ctx, orgId, {
    id: `connector-endpoint-${id}-paused-${now.getTime()}`,
    ownerId,
    connectionId,
    mail: ({ t, textWithNames, translate }) => ({
      subject: textWithNames`The endpoint “${name.replace(/\s+/g, ' ')}” is paused`,
      text: t`${translate(ENDPOINT_PAUSES[reason])} Its events are stored and wait until a member resumes it.`,
    }),
  })
}
