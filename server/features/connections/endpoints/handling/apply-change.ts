import type { Context } from '../../../../context.ts'
import { newId } from '../../../../security/ids.ts'
import { insertMessage, lockSession, updateUnread } from '../../../agents/conversations/conversations.ts'
import { joinRun } from '../../../agents/runs/runs.ts'
import type { NormalizedEvent } from '../../connectors/connectors.ts'
import type { WorkingEndpoint } from './endpoint-rights.ts'
import { lockTarget, type PendingEvent, updateHandled, updateIgnored, updateRecord } from './event-queries.ts'
import { messageOf } from './message.ts'

/**
 * Applies an edit or a deletion to the message that it refers to: in place if no model has read it, else as a further
 * message, which the next step of the session reads. It starts no run.
 */
export async function applyChange(
  ctx: Context,
  endpoint: WorkingEndpoint,
  connectorName: string,
  event: PendingEvent,
): Promise<void> {
  const { sql, caller } = ctx
  const { orgId } = caller
  const { record } = event
  const now = ctx.now()
  const target = record.targetId === null ? null : await lockTarget(sql, orgId, endpoint.id, record.targetId)
  if (!target || target.status === 'ignored') return updateIgnored(sql, orgId, event, 'unknown_target', now)
  const changed = changedRecord(target.record, record)
  const targetRef = { endpointId: endpoint.id, id: target.id }
  if (target.status === 'pending') {
    if (record.change === 'deleted') await updateIgnored(sql, orgId, targetRef, 'deleted', now)
    else await updateRecord(sql, orgId, targetRef, { record: changed, eventKey: changed.eventKey })
    return updateIgnored(sql, orgId, event, 'merged', now)
  }
  const { sessionId, messageId } = target
  if (sessionId === null || messageId === null) return updateIgnored(sql, orgId, event, 'unknown_target', now)
  const activeRunId = await lockSession(sql, orgId, sessionId)
  // Locks the run, so that it opens no step at the same time.
  if (activeRunId !== null) await joinRun(ctx, orgId, activeRunId)
  const source = { connector: connectorName, endpoint: endpoint.name }
  const inPlace = messageOf(source, record.change === 'deleted' ? { ...changed, text: DELETED } : changed)
  if (await updateUnread(sql, orgId, sessionId, messageId, inPlace))
    return updateHandled(sql, orgId, event, { sessionId, messageId, now })
  const note = await insertMessage(
    sql,
    orgId,
    sessionId,
    {
      ...{ id: newId(), role: 'user' as const, runId: null, step: null, authorId: null },
      ...messageOf(source, record),
      trust: 'untrusted' as const,
      state: activeRunId === null ? ('sent' as const) : ('queued' as const),
    },
    now,
  )
  return updateHandled(sql, orgId, event, { sessionId, messageId: note?.id ?? null, now })
}

const DELETED = '[The sender deleted this message]'

const changedRecord = (before: NormalizedEvent, { text, resource }: NormalizedEvent): NormalizedEvent => ({
  ...before,
  text,
  resource: resource ?? before.resource,
})
