import type { InputOf } from '../../../../contract/endpoint.ts'
import type { sms } from '../../../../contract/telephony/sms.ts'
import type { Caller, Context } from '../../../context.ts'
import { cursorPage, decodeCursor } from '../../../database/cursor.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import { notify } from '../../../database/transaction.ts'
import { notFound, raise, viewOnly } from '../../../errors.ts'
import { isProjectVisible, visibleRows } from '../../projects/access/access.ts'
import { updateResumed } from './automatic-replies.ts'
import { presentSms, type SmsRow, smsColumns } from './message-queries.ts'
import { findNumberAccess } from './opt-outs.ts'
import { RECEIVED_CHANNEL } from './receive/receive.ts'

const PAUSED_MAX = 20

export async function readConversations(
  ctx: Context<'vault'>,
  { limit, cursor, numberId }: InputOf<typeof sms.conversations>,
) {
  const { orgId, userId } = ctx.caller
  const list = `sms conversations ${orgId} ${userId} ${numberId ?? ''}`
  const before = decodeCursor(ctx.vault, list, cursor)
  const rows = await listConversations(ctx.sql, ctx.caller, { numberId, before, limit: limit + 1 })
  return cursorPage(ctx.vault, list, limit, rows, presentConversation)
}

/** Returns a conversation that isn't paused as it is. */
export const resumeConversation = (ctx: Context, pair: InputOf<typeof sms.resumeConversation>) =>
  ctx.transaction(async ({ sql, caller }) => {
    const find = async () => (await findConversation(sql, caller, pair)) ?? raise(notFound('Conversation'))
    await find()
    if ((await findNumberAccess(sql, caller, pair.numberId)) !== 'edit') throw viewOnly()
    await updateResumed(sql, caller.orgId, pair, ctx.now())
    notify(sql, RECEIVED_CHANNEL)
    return presentConversation(await find())
  })

function presentConversation(row: ConversationRow) {
  const { number, conversationSessionId: sessionId, messages, optedOut, pausedAt, ...lastSms } = row
  const { numberId, peer } = lastSms
  return { numberId, number, peer, sessionId, lastMessage: presentSms(lastSms), messages, optedOut, pausedAt }
}

export async function listPausedProblems(sql: Sql, caller: Caller) {
  const rows = await sql<{ numberId: string; e164: string; peer: string; pausedAt: string }[]>`
    select c.number_id as "numberId", n.e164, c.peer, c.paused_at as "pausedAt"
    from sms_conversations c join phone_numbers n on n.org_id = c.org_id and n.id = c.number_id
    where c.org_id = ${caller.orgId} and c.paused_at is not null
      and ${isProjectVisible(sql, caller, sql`c.project_id`)}
    order by c.paused_at desc limit ${PAUSED_MAX}`
  return rows.map(({ numberId, e164, peer, pausedAt }) => ({
    kind: 'paused_sms' as const,
    message: `The conversation between ${e164} and ${peer} is paused after many automatic replies in an hour`,
    target: numberId,
    since: pausedAt,
  }))
}

export interface ConversationRow extends SmsRow {
  number: string
  conversationSessionId: string | null
  messages: number
  optedOut: boolean
  pausedAt: string | null
}

const columns = (sql: Sql): Fragment => sql`
  ${smsColumns(sql)}, n.e164 as number, c.session_id as "conversationSessionId", c.messages, c.paused_at as "pausedAt",
  coalesce((
    select true from sms_opt_outs o
    where o.org_id = c.org_id and o.number_id = any(array[c.number_id]) and o.recipient = any(array[c.peer])
    order by o.number_id, o.recipient limit 1), false) as "optedOut"`

const joins = (sql: Sql): Fragment => sql`
  cross join lateral (
    select m.* from sms_messages m where m.org_id = c.org_id and m.id = any(array[c.last_message_id]) order by m.id limit 1
  ) m
  cross join lateral (
    select n.e164 from phone_numbers n where n.org_id = c.org_id and n.id = any(array[c.number_id]) order by n.id limit 1
  ) n`

/** Latest message first. A row's id is its last message's. */
export const listConversations = (
  sql: Sql,
  caller: Caller,
  { numberId, before, limit }: { numberId: string | undefined; before: string | null; limit: number },
) => {
  const rows = sql`
    select c.* from sms_conversations c
    where c.org_id = ${caller.orgId}
      ${numberId ? sql`and c.number_id = ${numberId}` : sql``}
      ${before ? sql`and c.last_message_id < ${before}` : sql``}`
  const order = sql`order by ${numberId ? sql`x.number_id,` : sql``} x.last_message_id desc`
  const keys = sql`x.last_message_id, x.number_id, x.peer`
  const isVisible = isProjectVisible(sql, caller, sql`x.project_id`)
  // A number has one project.
  const page = numberId
    ? sql`select ${keys} from (${rows}) x where ${isVisible} ${order} limit ${limit}`
    : visibleRows(sql, caller, { rows, columns: keys, order, unindexed: sql`x.messages`, isVisible, limit })
  return sql<ConversationRow[]>`
    select ${columns(sql)} from (${page}) x
    cross join lateral (
      select c.* from sms_conversations c
      where c.org_id = ${caller.orgId} and c.number_id = any(array[x.number_id]) and c.peer = any(array[x.peer])
      order by c.number_id, c.peer limit 1
    ) c ${joins(sql)}
    order by m.id desc`
}

export async function findConversation(
  sql: Sql,
  caller: Caller,
  { numberId, peer }: { numberId: string; peer: string },
): Promise<ConversationRow | null> {
  const [row] = await sql<ConversationRow[]>`
    select ${columns(sql)} from sms_conversations c ${joins(sql)}
    where c.org_id = ${caller.orgId} and c.number_id = ${numberId} and c.peer = ${peer}
      and ${isProjectVisible(sql, caller, sql`c.project_id`)}`
  return row ?? null
}
