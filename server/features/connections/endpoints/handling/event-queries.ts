import type { Sql } from '../../../../database/database.ts'
import type { DeliveredMessage } from '../../../agents/outside-messages/outside-messages.ts'
import type { NormalizedEvent } from '../../connectors/connectors.ts'

export interface PendingEvent {
  orgId: string
  endpointId: string
  id: string
  eventKey: string
  externalId: string
  thread: string
  record: NormalizedEvent
  attempts: number
  trace: string | null
}

export async function findNext(
  sql: Sql,
  orgId: string,
  endpointId: string,
  thread: string,
): Promise<PendingEvent | null> {
  const [row] = await sql<PendingEvent[]>`
    select org_id as "orgId", endpoint_id as "endpointId", id, event_key as "eventKey", external_id as "externalId",
      thread, record, attempts, trace
    from connector_events
    where org_id = ${orgId} and endpoint_id = ${endpointId} and thread = ${thread} and status = 'pending'
    order by id limit 1`
  return row ?? null
}

/** Returns false if no longer pending. */
export async function lockPending(
  sql: Sql,
  orgId: string,
  { endpointId, id }: PendingEvent,
): Promise<boolean> {
  const [row] = await sql`
    select from connector_events
    where org_id = ${orgId} and endpoint_id = ${endpointId} and id = ${id} and status = 'pending' for update`
  return row !== undefined
}

export const updateStarted = (
  sql: Sql,
  orgId: string,
  { endpointId, id }: PendingEvent,
  { sessionId, messageId, runId, now }: DeliveredMessage,
) => sql`
  update connector_events set status = 'running', session_id = ${sessionId}, message_id = ${messageId}, run_id = ${runId},
    error = null, attempts = attempts + 1, started_at = ${now}
  where org_id = ${orgId} and endpoint_id = ${endpointId} and id = ${id}`

export async function updateIgnored(
  sql: Sql,
  orgId: string,
  { endpointId, id }: Pick<PendingEvent, 'endpointId' | 'id'>,
  reason: string,
  now: Date,
): Promise<void> {
  await sql`
    update connector_events set status = 'ignored', reason = ${reason}, finished_at = ${now}
    where org_id = ${orgId} and endpoint_id = ${endpointId} and id = ${id}`
  await addCounts(sql, orgId, endpointId, { ignored: 1 })
}

/** A change to an earlier message. */
export async function updateHandled(
  sql: Sql,
  orgId: string,
  { endpointId, id }: PendingEvent,
  { sessionId, messageId, now }: { sessionId: string | null; messageId: string | null; now: Date },
): Promise<void> {
  await sql`
    update connector_events set status = 'succeeded', session_id = ${sessionId}, message_id = ${messageId},
      attempts = attempts + 1, error = null, started_at = ${now}, finished_at = ${now}
    where org_id = ${orgId} and endpoint_id = ${endpointId} and id = ${id}`
  await addCounts(sql, orgId, endpointId, { succeeded: 1 })
}

/** Without `isLast`, the event stays pending. */
export async function updateFailure(
  sql: Sql,
  orgId: string,
  { endpointId, id }: PendingEvent,
  { error, isLast, now }: { error: string; isLast: boolean; now: Date },
): Promise<void> {
  await sql`
    update connector_events set error = ${error}, attempts = attempts + 1,
      status = case when ${isLast} then 'failed' else status end,
      reason = case when ${isLast} then 'not_started' else reason end,
      finished_at = case when ${isLast} then ${now}::timestamptz end
    where org_id = ${orgId} and endpoint_id = ${endpointId} and id = ${id} and status = 'pending'`
  await addCounts(sql, orgId, endpointId, { failed: isLast ? 1 : 0, error: { message: error, at: now } })
}

/** Known once the event was completed. */
export const moveToThread = (
  sql: Sql,
  orgId: string,
  { endpointId, id }: Pick<PendingEvent, 'endpointId' | 'id'>,
  thread: string,
) => sql`
  update connector_events set thread = ${thread}
  where org_id = ${orgId} and endpoint_id = ${endpointId} and id = ${id} and status = 'pending'`

/** Completed, or changed by its sender. */
export const updateRecord = (
  sql: Sql,
  orgId: string,
  { endpointId, id }: Pick<PendingEvent, 'endpointId' | 'id'>,
  { record, eventKey }: { record: NormalizedEvent; eventKey: string },
) => sql`
  update connector_events set record = ${sql.json(record as never)}, event_key = ${eventKey}
  where org_id = ${orgId} and endpoint_id = ${endpointId} and id = ${id} and status = 'pending'`

export interface TargetEvent {
  id: string
  status: 'pending' | 'running' | 'succeeded' | 'failed' | 'ignored'
  record: NormalizedEvent
  messageId: string | null
  sessionId: string | null
}

/** The newest event with this id. */
export async function lockTarget(sql: Sql, orgId: string, endpointId: string, externalId: string) {
  const [row] = await sql<TargetEvent[]>`
    select id, status, record, message_id as "messageId", session_id as "sessionId" from connector_events
    where org_id = ${orgId} and endpoint_id = ${endpointId} and external_id = ${externalId} and status <> 'rejected'
    order by id desc limit 1 for update`
  return row ?? null
}

interface CountIncrements {
  ignored?: number
  succeeded?: number
  failed?: number
  error?: { message: string; at: Date }
}

/** Must be a transaction's last statement: arriving events lock the counts too. */
export const addCounts = (
  sql: Sql,
  orgId: string,
  endpointId: string,
  { ignored = 0, succeeded = 0, failed = 0, error }: CountIncrements,
) => sql`
  update connector_counts set ignored = ignored + ${ignored}, succeeded = succeeded + ${succeeded},
    failed = failed + ${failed}, last_error = coalesce(${error?.message ?? null}, last_error),
    last_error_at = coalesce(${error?.at ?? null}::timestamptz, last_error_at)
  where org_id = ${orgId} and endpoint_id = ${endpointId}`
