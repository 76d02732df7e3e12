import type { InputOf } from '../../../../contract/endpoint.ts'
import type { webhooks } from '../../../../contract/webhooks/webhooks.ts'
import type { Context } from '../../../context.ts'
import { reply } from '../../../endpoint/route.ts'
import { conflict } from '../../../errors.ts'
import { STREAM_HEADERS, writeEvent } from '../../../streams/live-events.ts'
import { isCredentialValid } from '../../accounts/accounts.ts'
import { messageOf } from '../deliver/deliver.ts'
import { findWebhook } from '../manage.ts'
import type { Tail } from './event-stream.ts'
import {
  AT_ONCE_MAX,
  findPresent,
  isListening,
  listEventsToForward,
  listEventsToTell,
  type Reading,
} from './follow-queries.ts'
import { present } from './log.ts'
import { decodeLogCursor, encodeLogCursor, type LogCursor, RESUMABLE_MS } from './log-cursor.ts'

/** The log as it grows; after a pause from where it was left. */
export async function followEvents(tail: Tail, ctx: Context, input: InputOf<typeof webhooks.tail>) {
  const { webhookId, byteRequest } = input
  const { orgId } = ctx.caller
  if (webhookId !== undefined) await findWebhook(ctx, webhookId)
  return stream(tail, ctx, byteRequest, {
    isWelcome: async () => true,
    list: async (reading) =>
      (await listEventsToTell(ctx.sql, orgId, webhookId ?? null, reading)).map((row) => ({
        id: row.id,
        recordedIn: row.recordedIn,
        write: (place) => writeEvent('event', present(row), place),
      })),
  })
}

/** What a webhook forwards, signed as it would be: for a program on the caller's own machine. */
export async function listen(tail: Tail, ctx: Context, { id, byteRequest }: InputOf<typeof webhooks.listen>) {
  const { orgId } = ctx.caller
  const { status } = await findWebhook(ctx, id)
  if (status === 'disabled') throw conflict('This webhook is disabled: enable it first')
  return stream(tail, ctx, byteRequest, {
    isWelcome: () => isListening(ctx.sql, orgId, id),
    list: async (reading) =>
      (await listEventsToForward(ctx.sql, orgId, id, reading)).map((row) => ({
        id: row.id,
        recordedIn: row.recordedIn,
        write: (place) => writeEvent('delivery', { type: row.event.type, ...messageOf(ctx, row) }, place),
      })),
  })
}

interface Source {
  /** Whether there is still something to follow. */
  isWelcome: () => Promise<boolean>
  list: (reading: Reading) => Promise<Found[]>
}

interface Found {
  id: string
  recordedIn: string
  write: (place: string) => Buffer
}

async function stream(
  tail: Tail,
  ctx: Context,
  { headOnly, lastEventId }: InputOf<typeof webhooks.tail>['byteRequest'],
  { isWelcome, list }: Source,
) {
  if (headOnly) return reply(null, { bytes: { content: null, headers: STREAM_HEADERS } })
  const { sql, vault, caller, now } = ctx
  const write = (at: LogCursor) => encodeLogCursor(vault, caller.orgId, at, now())
  let place: LogCursor

  const begin = async () => {
    const left = decodeLogCursor(vault, caller.orgId, lastEventId, now())
    place = left ?? { seen: await findPresent(sql), upTo: null, after: null }
    return writeEvent('ready', {}, write(place))
  }

  const read = async () => {
    const [present, ...welcomes] = await Promise.all([
      findPresent(sql),
      isCredentialValid(sql, caller, now()),
      isWelcome(),
    ])
    if (welcomes.includes(false)) return null
    const { seen, after } = place
    const upTo = place.upTo ?? present
    const found = await list({ seen, upTo, after, since: new Date(now().getTime() - RESUMABLE_MS) })
    const placeAt = ({ recordedIn, id }: Found) => ({ seen, upTo, after: { recordedIn, id } })
    const isMore = found.length === AT_ONCE_MAX || place.upTo !== null
    place = found.length === AT_ONCE_MAX ? placeAt(found.at(-1)!) : { seen: upTo, upTo: null, after: null }
    return { events: found.map((one) => one.write(write(placeAt(one)))), isMore }
  }

  const { orgId, userId } = caller
  const content = await tail.follow({ orgId, userId, begin, read })
  return reply(null, { bytes: { content, headers: STREAM_HEADERS } })
}
