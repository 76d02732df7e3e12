import type { Sql } from '../../../../database/database.ts'
import { claimFairly, type OrganizationClaim, type Queue } from '../../../../jobs/claim-fairly.ts'
import type { NumberAndPeer } from '../message-queries.ts'

export interface ClaimedConversation extends NumberAndPeer {
  orgId: string
  lease: number
  failures: number
}

export const RECEIVED_QUEUE: Queue = {
  table: 'sms_conversations',
  key: ['number_id', 'peer'],
  indexedBy: 'org_id',
}

export const claimConversations = (sql: Sql, claim: OrganizationClaim) =>
  claimFairly<ClaimedConversation>(sql, RECEIVED_QUEUE, claim, {
    where: sql`(t.held_until is null or t.held_until <= ${claim.now})`,
    lease: sql`lease = t.lease + 1, held_until = ${claim.leasedUntil}`,
    returning: sql`t.org_id as "orgId", t.number_id as "numberId", t.peer, t.lease, t.failures`,
  })

export interface LockedConversation {
  isPaused: boolean
  automaticReplies: number
  automaticSince: string | null
}

/** Locks until the transaction ends. Returns null if another worker has it. */
export async function lockConversation(
  sql: Sql,
  orgId: string,
  { numberId, peer, lease }: ClaimedConversation,
): Promise<LockedConversation | null> {
  const [row] = await sql<LockedConversation[]>`
    select paused_at is not null as "isPaused", automatic_replies as "automaticReplies",
      automatic_since as "automaticSince"
    from sms_conversations
    where org_id = ${orgId} and number_id = ${numberId} and peer = ${peer} and lease = ${lease} for update`
  return row ?? null
}

/**
 * Call it after `lockConversation`, in the same transaction. Due again if messages are pending, including new arrivals.
 */
export const releaseConversation = (
  sql: Sql,
  orgId: string,
  { numberId, peer }: NumberAndPeer,
  { retryAt, failures }: { retryAt: Date; failures: number },
) => sql`
  update sms_conversations c set failures = ${failures}, held_until = null,
    due_at = case when c.paused_at is null and exists (
      select from sms_messages m
      where m.org_id = ${orgId} and m.number_id = ${numberId} and m.peer = ${peer} and m.handling = 'pending'
    ) then ${retryAt}::timestamptz end
  where c.org_id = ${orgId} and c.number_id = ${numberId} and c.peer = ${peer}`

/** Run at startup as the only process on the database, when every lease belongs to a killed process. */
export const releaseOrphanedConversations = (sql: Sql, now: Date) => sql`
  update sms_conversations set held_until = null, lease = lease + 1 where held_until > ${now}`

export const updateSession = (
  sql: Sql,
  orgId: string,
  { numberId, peer }: NumberAndPeer,
  sessionId: string,
) => sql`
  update sms_conversations set session_id = ${sessionId}
  where org_id = ${orgId} and number_id = ${numberId} and peer = ${peer}`

export interface RemoteMedium {
  url: string
  contentType: string
  /** Why it couldn't be stored. Not retried. */
  error?: string
}

export interface PendingSms {
  id: string
  peer: string
  body: string
  media: string[]
  remoteMedia: RemoteMedium[]
  createdAt: string
}

export async function findPending(
  sql: Sql,
  orgId: string,
  { numberId, peer }: NumberAndPeer,
): Promise<PendingSms | null> {
  const [row] = await sql<PendingSms[]>`
    select id, peer, body, media, remote_media as "remoteMedia", created_at as "createdAt" from sms_messages
    where org_id = ${orgId} and number_id = ${numberId} and peer = ${peer} and handling = 'pending'
    order by id limit 1`
  return row ?? null
}

export const updateMedia = (
  sql: Sql,
  orgId: string,
  id: string,
  { media, remoteMedia }: Pick<PendingSms, 'media' | 'remoteMedia'>,
) => sql`
  update sms_messages set media = ${sql.json(media)}, remote_media = ${sql.json(remoteMedia as never)}
  where org_id = ${orgId} and id = ${id} and handling = 'pending'`

export interface HandlingResult {
  handling: 'running' | 'done' | 'failed'
  error?: string | null
  ruleId?: string | null
  sessionId?: string | null
  messageId?: string | null
  runId?: string | null
}

export async function updateHandled(
  sql: Sql,
  orgId: string,
  id: string,
  { handling, error, ruleId, sessionId, messageId, runId }: HandlingResult,
): Promise<boolean> {
  const { count } = await sql`
    update sms_messages set handling = ${handling}, handling_error = ${error ?? null}, rule_id = ${ruleId ?? null},
      session_id = ${sessionId ?? null}, message_id = ${messageId ?? null}, run_id = ${runId ?? null}
    where org_id = ${orgId} and id = ${id} and handling = 'pending'`
  return count === 1
}

/** Any organization on this server. Its message may be an agent's answer. */
export async function isOwnNumber(sql: Sql, e164: string): Promise<boolean> {
  const [row] = await sql`select from phone_numbers where e164 = ${e164} and released_at is null`
  return row !== undefined
}
