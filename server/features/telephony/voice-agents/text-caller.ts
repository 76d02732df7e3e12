import type { PublicContext } from '../../../context.ts'
import type { CallRow } from '../calls/call-queries.ts'
import { isReachable } from '../sms/receive/reachable.ts'
import { queueSms } from '../sms/send/queue-sms.ts'
import { findSendingNumber } from '../sms/send/sender-queries.ts'
import { splitText } from '../sms/split-text.ts'

/**
 * Sends a text message to the person of a call, from the number of the call. Returns the reason for a refusal; null if
 * the message is queued.
 */
export async function textCaller(
  { sql, now }: Pick<PublicContext, 'sql' | 'now'>,
  orgId: string,
  { numberId, direction, from, to, ownerId, agentId, sessionId }: CallRow,
  { runId, text }: { runId: string; text: string },
): Promise<string | null> {
  const peer = direction === 'inbound' ? from : to
  const number = numberId === null ? null : await findSendingNumber(sql, orgId, numberId)
  if (!number?.capabilities.sms || ownerId === null)
    return 'The number of the call cannot send text messages.'
  if (!isReachable(peer)) return 'The number of the caller is not known.'
  for (const body of splitText(text)) {
    const { refusal } = await queueSms(
      sql,
      orgId,
      { number, to: peer, body, purpose: 'reply', createdBy: ownerId, agentId, sessionId, runId },
      now(),
    )
    if (refusal) return `${refusal.message}.`
  }
  return null
}
