import type { InputOf } from '../../../contract/endpoint.ts'
import type { webhooks } from '../../../contract/webhooks.ts'
import type { Context } from '../../context.ts'
import { STREAM_HEADERS, writeEvent } from '../../live/events.ts'
import { reply } from '../../route.ts'
import { messageOf } from './deliver.ts'
import { listEventsToForward, listEventsToTell, type NewEvents } from './follow-queries.ts'
import { present } from './log.ts'
import type { Tail } from './tail.ts'
import { findWebhook } from './webhooks.ts'

/** Changes that take long commit after others that began later, so what is this young is looked at again. */
const LOOK_BACK_MS = 60_000
/** Whoever comes back after longer than this begins with the present. */
const RESUME_MS = 600_000
const REMEMBERED_MAX = 5000

/** The log as it grows; after a pause from where it was left, so that an event may be told twice but is not left out. */
export async function followEvents(tail: Tail, ctx: Context, input: InputOf<typeof webhooks.tail>) {
  const { webhookId, wanted } = input
  if (webhookId !== undefined) await findWebhook(ctx, webhookId)
  const { orgId } = ctx.caller
  return stream(tail, ctx, wanted, async (which) => {
    const rows = await listEventsToTell(ctx.sql, orgId, webhookId ?? null, which)
    return rows.map((row) => ({ id: row.id, event: () => writeEvent('event', present(row), row.id) }))
  })
}

/** What a webhook forwards, signed as it would be: for a program on the caller's own machine. */
export async function listen(tail: Tail, ctx: Context, { id, wanted }: InputOf<typeof webhooks.listen>) {
  await findWebhook(ctx, id)
  const { orgId } = ctx.caller
  return stream(tail, ctx, wanted, async (which) => {
    const rows = await listEventsToForward(ctx.sql, orgId, id, which)
    return rows.map((row) => ({
      id: row.event.id,
      event: () => writeEvent('delivery', { type: row.event.type, ...messageOf(ctx, row) }, row.event.id),
    }))
  })
}

interface Found {
  id: string
  event: () => Buffer
}

async function stream(
  tail: Tail,
  ctx: Context,
  { headOnly, lastEventId }: InputOf<typeof webhooks.tail>['wanted'],
  find: (which: NewEvents) => Promise<Found[]>,
) {
  if (headOnly) return reply(null, { bytes: { content: null, headers: STREAM_HEADERS } })
  const told = new Set<string>()
  const began = beginning(lastEventId, ctx.now())
  if (lastEventId !== undefined) told.add(lastEventId)
  const read = async () => {
    const since = new Date(Math.max(began.getTime(), ctx.now().getTime() - LOOK_BACK_MS))
    const found = (await find({ since: told.size > 1 ? since : began })).filter(({ id }) => !told.has(id))
    for (const { id } of found) told.add(id)
    forget(told)
    return found.map(({ event }) => event())
  }
  return reply(null, {
    bytes: { content: await tail.follow(ctx.caller.orgId, read), headers: STREAM_HEADERS },
  })
}

/** An id begins with its time. */
function beginning(lastEventId: string | undefined, now: Date): Date {
  const time = Number.parseInt(lastEventId?.replaceAll('-', '').slice(0, 12) ?? '', 16)
  const isRecent = now.getTime() - time < RESUME_MS && time <= now.getTime() + RESUME_MS
  return isRecent ? new Date(time) : now
}

/** The oldest first. */
function forget(told: Set<string>): void {
  for (const id of told) {
    if (told.size <= REMEMBERED_MAX) return
    told.delete(id)
  }
}
