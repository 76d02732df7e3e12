import type { InputOf } from '../../../../../contract/endpoint.ts'
import type { sms } from '../../../../../contract/telephony/sms.ts'
import type { Context } from '../../../../context.ts'
import { cursorPage, decodeCursor } from '../../../../database/cursor.ts'
import { notFound, raise } from '../../../../errors.ts'
import { findProject } from '../../../projects/projects/projects.ts'
import { presentSms } from '../message-queries.ts'
import { type ConversationRow, listConversations } from './conversation-list-queries.ts'
import { findSms, listSms } from './message-list-queries.ts'

export async function readMessages(
  ctx: Context,
  { limit, cursor, projectId, ...filter }: InputOf<typeof sms.list>,
) {
  const { orgId, userId } = ctx.caller
  const project = projectId === undefined ? undefined : (await findProject(ctx, projectId)).id
  const filters = { ...filter, projectId: project }
  const list = `sms ${orgId} ${userId} ${JSON.stringify(filters)}`
  const before = decodeCursor(ctx.vault, list, cursor)
  const rows = await listSms(ctx.sql, ctx.caller, filters, { before, limit: limit + 1 })
  return cursorPage(ctx.vault, list, limit, rows, presentSms)
}

export const readMessage = async (ctx: Context, { id }: { id: string }) =>
  presentSms((await findSms(ctx.sql, ctx.caller, id)) ?? raise(notFound('Text message')))

export async function readConversations(
  ctx: Context,
  { limit, cursor, numberId }: InputOf<typeof sms.conversations>,
) {
  const { orgId, userId } = ctx.caller
  const list = `sms conversations ${orgId} ${userId} ${numberId ?? ''}`
  const before = decodeCursor(ctx.vault, list, cursor)
  const rows = await listConversations(ctx.sql, ctx.caller, { numberId, before, limit: limit + 1 })
  return cursorPage(ctx.vault, list, limit, rows, presentConversation)
}

export function presentConversation(row: ConversationRow) {
  const { number, conversationSessionId: sessionId, messages, optedOut, pausedAt, ...lastSms } = row
  const { numberId, peer } = lastSms
  return { numberId, number, peer, sessionId, lastMessage: presentSms(lastSms), messages, optedOut, pausedAt }
}
