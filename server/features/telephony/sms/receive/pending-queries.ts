import type { Sql } from '../../../../database/database.ts'
import type { NumberAndPeer } from '../message-queries.ts'

export interface RemoteMedium {
  url: string
  contentType: string
  /** Why it could not be stored; it is not tried again. */
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

/** The oldest message of a conversation that is not handled. */
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

/** Stores the file of a medium, or the reason why it cannot be stored. */
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

/** False if the message is no longer pending. */
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

/** Whether an organization of this server has the number: its message may be an answer of an agent. */
export async function isOwnNumber(sql: Sql, e164: string): Promise<boolean> {
  const [row] = await sql`select from phone_numbers where e164 = ${e164} and released_at is null`
  return row !== undefined
}
