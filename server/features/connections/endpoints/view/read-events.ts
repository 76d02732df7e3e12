import type { z } from 'zod'
import { ENDPOINT_LIMITS } from '../../../../../contract/connections/connector-endpoint-options.ts'
import type { ProviderEvent } from '../../../../../contract/connections/connector-endpoint-records.ts'
import type { connectorEndpoints } from '../../../../../contract/connections/connector-endpoints.ts'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import type { Context } from '../../../../context.ts'
import { cursorPage, decodeCursor, encodeCursor } from '../../../../database/cursor.ts'
import { conflict, forbidden, notFound, raise } from '../../../../errors.ts'
import { matchesFilter, parseFilter } from '../filter.ts'
import { wakeThread } from '../handling/claim-queries.ts'
import { findReceiver, wakeEventWorkers } from '../receive/receive-queries.ts'
import { requireFilter } from '../validate.ts'
import type { EndpointHold } from './endpoint-queries.ts'
import { type EventView, findEvent, listAllEvents, listEvents, updateRetried } from './event-queries.ts'
import { mayEdit, requireVisible } from './read-endpoints.ts'

export async function readEvents(
  ctx: Context<'vault'>,
  { id, limit, cursor, status }: InputOf<typeof connectorEndpoints.events>,
) {
  const { orgId, held } = await requireVisible(ctx, id)
  const list = `connector events ${orgId} ${id} ${status ?? ''}`
  const before = decodeCursor(ctx.vault, list, cursor)
  // Held events are pending events on an endpoint that can't handle them.
  const isEmpty = (status === 'held' && held === null) || (status === 'pending' && held !== null)
  const storedStatus = status === undefined ? null : status === 'held' ? 'pending' : status
  const rows = isEmpty
    ? []
    : await listEvents(ctx.sql, orgId, id, { status: storedStatus, before, limit: limit + 1 })
  return cursorPage(ctx.vault, list, limit, rows, (row) => presentEvent(row, held))
}

export async function readEvent(ctx: Context, { id, eventId }: InputOf<typeof connectorEndpoints.event>) {
  const endpoint = await requireVisible(ctx, id)
  const row = (await findEvent(ctx.sql, endpoint.orgId, id, eventId)) ?? raise(notFound('Event'))
  const isShown = mayEdit(ctx.caller, endpoint.ownerId)
  return {
    ...presentEvent(row, endpoint.held),
    raw: isShown
      ? {
          headers: row.headers ?? {},
          body: row.body && Buffer.from(row.body).toString('utf8').toWellFormed(),
        }
      : null,
  }
}

export async function retryEvent(
  ctx: Context,
  { id, eventId }: InputOf<typeof connectorEndpoints.retryEvent>,
) {
  const { orgId, held, ownerId } = await requireVisible(ctx, id)
  if (!mayEdit(ctx.caller, ownerId))
    throw forbidden('Only the endpoint’s owner and admins can handle an event again')
  return ctx.transaction(async ({ sql }) => {
    const retried = await updateRetried(sql, orgId, id, eventId)
    const row = (await findEvent(sql, orgId, id, eventId)) ?? raise(notFound('Event'))
    if (!retried) throw conflict('Only an event that failed can be handled again')
    await wakeThread(sql, orgId, id, retried.thread, ctx.now())
    wakeEventWorkers(sql)
    return presentEvent(row, held)
  })
}

export async function tryFilter(ctx: Context, { id, filter }: InputOf<typeof connectorEndpoints.tryFilter>) {
  const { orgId, slug } = await requireVisible(ctx, id)
  const source = requireFilter(filter)
  const parsed = source === null ? null : parseFilter(source)
  const limit = ENDPOINT_LIMITS.triedEvents
  const rows = await listEvents(ctx.sql, orgId, id, { status: null, before: null, limit })
  const items = rows.flatMap(({ id: eventId, eventKey, record }) => {
    if (record === null || record.eventKey === '') return []
    return [{ eventId, eventKey, text: record.text, matches: !parsed || matchesFilter(parsed, slug, record) }]
  })
  return { matched: items.filter(({ matches }) => matches).length, items }
}

export async function observeEvents(
  ctx: Context<'vault'>,
  { limit, cursor, endpointId }: InputOf<typeof connectorEndpoints.observeEvents>,
) {
  const list = `all connector events ${endpointId ?? ''}`
  const position = decodeCursor(ctx.vault, list, cursor)
  const rows = endpointId
    ? await eventsOf(ctx, endpointId, position?.split(' ')[1] ?? null, limit + 1)
    : await listAllEvents(ctx.sql, { before: position ? positionOf(position) : null, limit: limit + 1 })
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    items: page.map((row) => ({
      ...fieldsOf(row, null),
      organizationId: row.orgId,
      connectorSlug: row.connectorSlug,
    })),
    nextCursor:
      rows.length > limit && last ? encodeCursor(ctx.vault, list, `${last.receivedAt} ${last.id}`) : null,
  }
}

const positionOf = (position: string) => position.split(' ') as unknown as readonly [string, string]

async function eventsOf({ sql }: Context, endpointId: string, before: string | null, limit: number) {
  const endpoint = await findReceiver(sql, endpointId)
  return endpoint ? listEvents(sql, endpoint.orgId, endpointId, { status: null, before, limit }) : []
}

function presentEvent(row: EventView, held: EndpointHold): z.output<typeof ProviderEvent> {
  return {
    ...fieldsOf(row, held),
    session: row.thread,
    record: row.record === null || row.record.eventKey === '' ? null : recordOf(row.record),
    sessionId: row.sessionId,
    reply: row.reply,
  }
}

function fieldsOf(row: EventView, held: EndpointHold) {
  const hold = row.status === 'pending' ? held : row.waitsForBudget ? ('budget' as const) : null
  return {
    id: row.id,
    endpointId: row.endpointId,
    eventKey: row.eventKey,
    externalId: row.externalId,
    status: hold === null ? row.status : ('held' as const),
    reason: hold ?? row.reason,
    error: row.error,
    duplicates: row.duplicates,
    attempts: row.attempts,
    runId: row.runId,
    waitedMs: row.waitedMs,
    durationMs: row.durationMs,
    receivedAt: row.receivedAt,
    finishedAt: row.finishedAt,
  }
}

const recordOf = ({ change, targetId, actor, text, thread, resource }: NonNullable<EventView['record']>) => ({
  change,
  targetId,
  actor: { id: actor.id, name: actor.name, isBot: actor.isBot },
  text,
  thread,
  resource: resource && { type: resource.type, id: resource.id, url: resource.url },
})
