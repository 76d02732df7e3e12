import type { JobContext } from '../../../../context.ts'
import type { Sql } from '../../../../database/database.ts'
import { findEndedRun } from '../../../agents/outside-messages/outside-messages.ts'
import { isReachable } from '../../carrier/destination.ts'
import { consumeAutomaticReply } from '../automatic-replies.ts'
import type { NumberAndPeer } from '../message-queries.ts'
import { findSendingNumber } from '../send/queries.ts'
import { queueAutomaticSms } from '../send/queue-sms.ts'
import { splitText } from '../split-text.ts'

/** Marks the run's messages as handled and sends the answer, once. */
export const concludeSmsRun = (ctx: JobContext, { orgId, runId }: { orgId: string; runId: string }) =>
  ctx.transaction(async ({ sql }) => {
    const run = await findEndedRun(sql, orgId, runId)
    const conversation = run && (await endMessages(sql, orgId, runId, run.error))
    if (!conversation || run.answer === null || !run.isForOutside || !isReachable(conversation.peer)) return
    const { numberId, peer, sessionId, agentId, createdBy } = conversation
    const number = await findSendingNumber(sql, orgId, numberId)
    const now = ctx.now()
    if (!number) return
    // Only counts: whether to answer was decided before the run.
    await consumeAutomaticReply(sql, orgId, { numberId, peer }, now)
    for (const body of splitText(run.answer)) {
      const reply = {
        number,
        to: peer,
        body,
        purpose: 'reply' as const,
        createdBy,
        agentId,
        sessionId,
        runId,
      }
      const { isQueued } = await queueAutomaticSms(sql, orgId, reply, now)
      if (!isQueued) return
    }
  })

interface AnsweredConversation extends NumberAndPeer {
  sessionId: string
  agentId: string
  createdBy: string
}

/** Returns null if there are none, or another worker ended them. */
async function endMessages(
  sql: Sql,
  orgId: string,
  runId: string,
  error: string | null,
): Promise<AnsweredConversation | null> {
  const [row] = await sql<AnsweredConversation[]>`
    with ended as (
      update sms_messages set handling = ${error === null ? 'done' : 'failed'}, handling_error = ${error}
      where org_id = ${orgId} and run_id = ${runId} and handling = 'running'
      returning id, number_id, peer, session_id
    )
    select e.number_id as "numberId", e.peer, e.session_id as "sessionId", r.agent_id as "agentId",
      r.created_by as "createdBy"
    from ended e join runs r on r.org_id = ${orgId} and r.id = ${runId}
    order by e.id desc limit 1`
  return row ?? null
}
