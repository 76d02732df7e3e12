import type { InputOf } from '../../../contract/endpoint.ts'
import type { webhooks } from '../../../contract/webhooks.ts'
import type { Context } from '../../context.ts'
import { unauthorized } from '../../errors.ts'
import { STREAM_HEADERS, writeEvent } from '../../live/events.ts'
import { reply } from '../../route.ts'
import { messageOf } from './deliver.ts'
import {
  AT_ONCE_MAX,
  isStillLetIn,
  listEventsToForward,
  listEventsToTell,
  type NewEvents,
} from './follow-queries.ts'
import { present } from './log.ts'
import type { Read, Tail } from './tail.ts'
import { findWebhook } from './webhooks.ts'

/** Changes that take long commit after others that began later, so after a break what is this young is looked at again. */
const LOOK_BACK_MS = 60_000
/** Whoever comes back after longer than this begins with the present. */
const RESUME_MS = 600_000
const REMEMBERED_MAX = 10_000

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
  let isFirst = true

  const read: Read = async function* (ids) {
    if (!(await isStillLetIn(ctx.sql, ctx.caller, ctx.now()))) throw unauthorized('No longer signed in')
    const since = isFirst ? began : later(began, new Date(ctx.now().getTime() - LOOK_BACK_MS))
    isFirst = false
    for await (const { id, event } of inTurn(find, ids, since)) {
      if (told.has(id)) continue
      remember(told, id)
      yield event()
    }
  }
  return reply(null, {
    bytes: { content: await tail.follow(ctx.caller.orgId, read), headers: STREAM_HEADERS },
  })
}

/** A few at a time, since each may be large. */
async function* inTurn(
  find: (which: NewEvents) => Promise<Found[]>,
  ids: readonly string[] | null,
  since: Date,
): AsyncGenerator<Found> {
  if (ids) {
    for (let at = 0; at < ids.length; at += AT_ONCE_MAX) {
      yield* await find({ ids: ids.slice(at, at + AT_ONCE_MAX) })
    }
    return
  }
  let after: string | null = null
  for (;;) {
    const found: Found[] = await find({ since, after })
    yield* found
    if (found.length < AT_ONCE_MAX) return
    after = found.at(-1)!.id
  }
}

/** An id begins with its time. */
function beginning(lastEventId: string | undefined, now: Date): Date {
  const time = Number.parseInt(lastEventId?.replaceAll('-', '').slice(0, 12) ?? '', 16)
  const isRecent = now.getTime() - time < RESUME_MS && time <= now.getTime() + RESUME_MS
  return isRecent ? new Date(time) : now
}

const later = (one: Date, other: Date) => (one > other ? one : other)

/** The oldest are forgotten first. */
function remember(told: Set<string>, id: string): void {
  told.add(id)
  if (told.size > REMEMBERED_MAX) told.delete(told.values().next().value!)
}
