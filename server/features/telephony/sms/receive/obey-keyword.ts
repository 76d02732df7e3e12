import type { Sql } from '../../../../database/database.ts'
import type { CallbackNumber } from '../../callbacks/callback.ts'
import type { Keyword } from '../keywords.ts'
import { deleteOptOut, insertOptOut, isOptedOut } from '../opt-out-queries.ts'
import { queueSms } from '../send/queue-sms.ts'
import { consumeAutomaticReply } from './automatic-replies.ts'
import { noticeOf } from './notices.ts'
import { isReachable } from './reachable.ts'

interface KeywordMessage {
  keyword: Keyword
  peer: string
  /** The carrier has answered it. */
  isAnswered: boolean
  now: Date
}

/** STOP, START and HELP take effect for one number and one recipient. Each change is confirmed once. */
export async function obeyKeyword(
  sql: Sql,
  orgId: string,
  number: CallbackNumber,
  { keyword, peer, isAnswered, now }: KeywordMessage,
): Promise<void> {
  const pair = { numberId: number.id, peer }
  const takeEffect = {
    stop: () => insertOptOut(sql, orgId, pair, { source: 'message', now }),
    start: () => deleteOptOut(sql, orgId, pair),
    help: async () => !(await isOptedOut(sql, orgId, pair)),
  }
  if (!(await takeEffect[keyword]()) || isAnswered || !isReachable(peer)) return
  if (!(await consumeAutomaticReply(sql, orgId, pair, now))) return
  const body = noticeOf(keyword, number.settings.language, await senderOf(sql, orgId, number.id))
  // A refusal, such as a reached budget, must not undo the opt-out.
  await queueSms(sql, orgId, { number, to: peer, body, purpose: 'notice', createdBy: number.ownerId }, now)
}

/** The name of the number for the recipient. */
async function senderOf(sql: Sql, orgId: string, numberId: string): Promise<string> {
  const [row] = await sql<{ name: string }[]>`
    select coalesce(n.label, o.name) as name from phone_numbers n join organizations o on o.id = n.org_id
    where n.org_id = ${orgId} and n.id = ${numberId}`
  return row!.name
}
