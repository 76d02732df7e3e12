import { NumberSettings } from '../../../../../contract/telephony/telephony-fields.ts'
import type { Caller } from '../../../../context.ts'
import type { Fragment, Sql } from '../../../../database/database.ts'
import { claimFairly, type OrganizationClaim, type Queue } from '../../../../jobs/claim-fairly.ts'
import { projectAccess } from '../../../projects/access/access.ts'

export interface SendingNumber {
  id: string
  e164: string
  projectId: string
  ownerId: string
  connectionId: string | null
  capabilities: { voice: boolean; sms: boolean; mms: boolean }
  settings: NumberSettings
}

const columns = (sql: Sql): Fragment => sql`
  n.id, n.e164, n.project_id as "projectId", n.owner_id as "ownerId", n.connection_id as "connectionId",
  n.capabilities, n.settings`

export async function chooseNumber(
  sql: Sql,
  caller: Caller,
  { from, numberId, needsMms }: { from?: string; numberId?: string; needsMms: boolean },
): Promise<(SendingNumber & { access: 'view' | 'edit' }) | null> {
  const [row] = await sql<(SendingNumber & { access: 'view' | 'edit' })[]>`
    select ${columns(sql)}, a.access from phone_numbers n
    join projects p on p.org_id = n.org_id and p.id = n.project_id and p.deleted_at is null,
      lateral (select ${projectAccess(sql, caller)} as access) a
    where n.org_id = ${caller.orgId} and n.released_at is null and a.access is not null
      and (n.capabilities ->> 'sms')::boolean
      ${needsMms ? sql`and (n.capabilities ->> 'mms')::boolean` : sql``}
      ${from === undefined ? sql`` : sql`and n.e164 = ${from}`}
      ${numberId === undefined ? sql`` : sql`and n.id = ${numberId}`}
    order by a.access, n.created_at, n.id limit 1`
  return row ? withSettings(row) : null
}

/** Returns null if the number was released. */
export async function findSendingNumber(sql: Sql, orgId: string, id: string): Promise<SendingNumber | null> {
  const [row] = await sql<SendingNumber[]>`
    select ${columns(sql)} from phone_numbers n
    where n.org_id = ${orgId} and n.id = ${id} and n.released_at is null`
  return row ? withSettings(row) : null
}

const withSettings = <T extends SendingNumber>(row: T): T => ({
  ...row,
  settings: NumberSettings.parse(row.settings),
})

export const wakeSender = (sql: Sql, orgId: string, numberId: string, now: Date) => sql`
  insert into sms_senders as s (org_id, number_id, due_at) values (${orgId}, ${numberId}, ${now})
  on conflict (org_id, number_id) do update set due_at = least(s.due_at, excluded.due_at)`

export interface ClaimedSender {
  orgId: string
  numberId: string
  lease: number
}

export const SENDERS_QUEUE: Queue = { table: 'sms_senders', key: ['number_id'], indexedBy: 'org_id' }

export const claimSenders = (sql: Sql, claim: OrganizationClaim) =>
  claimFairly<ClaimedSender>(sql, SENDERS_QUEUE, claim, {
    where: sql`(t.held_until is null or t.held_until <= ${claim.now})`,
    lease: sql`lease = t.lease + 1, held_until = ${claim.leasedUntil}`,
    returning: sql`t.org_id as "orgId", t.number_id as "numberId", t.lease`,
  })

/** Due again with its next message, even one queued in the meantime. */
export async function releaseSender(
  sql: Sql,
  orgId: string,
  { numberId, lease }: ClaimedSender,
  heldUntil: Date,
): Promise<void> {
  const [row] = await sql`
    select from sms_senders
    where org_id = ${orgId} and number_id = ${numberId} and lease = ${lease} for update`
  if (!row) return
  await sql`
    update sms_senders set held_until = ${heldUntil}, due_at = (
      select m.due_at from sms_messages m
      where m.org_id = ${orgId} and m.number_id = ${numberId} and m.due_at is not null order by m.due_at limit 1)
    where org_id = ${orgId} and number_id = ${numberId}`
}

/** Run at startup as the only process on the database, when every lease belongs to a killed process. */
export const releaseOrphanedSenders = (sql: Sql, now: Date) => sql`
  update sms_senders set held_until = null, lease = lease + 1 where held_until > ${now}`

export interface OutboundSms {
  id: string
  to: string
  body: string
  media: string[]
  status: 'queued' | 'sending'
  purpose: 'message' | 'reply' | 'notice' | 'forward'
  segments: number
  projectId: string
  createdBy: string | null
  agentId: string | null
  keyId: string | null
  attempts: number
  /** Since when the carrier may have the message. Null if it doesn't. */
  attemptedAt: string | null
}

export async function findDue(
  sql: Sql,
  orgId: string,
  numberId: string,
  now: Date,
): Promise<OutboundSms | null> {
  const [row] = await sql<OutboundSms[]>`
    select m.id, m.to_number as "to", m.body, m.media, m.status, m.purpose, m.segments, m.project_id as "projectId",
      m.created_by as "createdBy", m.attempts, m.attempted_at as "attemptedAt", r.agent_id as "agentId",
      r.key_id as "keyId"
    from sms_messages m left join runs r on r.org_id = m.org_id and r.id = m.run_id
    where m.org_id = ${orgId} and m.number_id = ${numberId} and m.due_at <= ${now} and m.status in ('queued', 'sending')
    order by m.due_at, m.id limit 1`
  return row ?? null
}

/** Before the request, so the mark survives a killed process. False if another worker has the number. */
export async function markSending(
  sql: Sql,
  orgId: string,
  id: string,
  { numberId, lease }: { numberId: string; lease: number },
  now: Date,
): Promise<boolean> {
  const { count } = await sql`
    update sms_messages m set status = 'sending', attempted_at = ${now}
    where m.org_id = ${orgId} and m.id = ${id} and m.status in ('queued', 'sending') and exists (
      select from sms_senders s where s.org_id = ${orgId} and s.number_id = ${numberId} and s.lease = ${lease})`
  return count === 1
}

export interface Retry {
  status: 'queued' | 'sending'
  error: string
  dueAt: Date
  /** Null: the carrier certainly doesn't have it. */
  attemptedAt: Date | string | null
}

export const updateRetry = (
  sql: Sql,
  orgId: string,
  id: string,
  { status, error, dueAt, attemptedAt }: Retry,
) => sql`
  update sms_messages set status = ${status}, error_message = ${error}, due_at = ${dueAt}, attempted_at = ${attemptedAt},
    attempts = attempts + case when ${status} = 'queued' then 1 else 0 end
  where org_id = ${orgId} and id = ${id} and status in ('queued', 'sending')`

export async function updateFailed(
  sql: Sql,
  orgId: string,
  id: string,
  { code, message }: { code: string | null; message: string },
): Promise<boolean> {
  const { count } = await sql`
    update sms_messages set status = 'failed', error_code = ${code}, error_message = ${message}, due_at = null,
      attempted_at = null
    where org_id = ${orgId} and id = ${id} and status in ('queued', 'sending')`
  return count === 1
}

export async function listStoredIds(
  sql: Sql,
  orgId: string,
  providerIds: readonly string[],
): Promise<Set<string>> {
  const rows = await sql<{ id: string }[]>`
    select provider_id as id from sms_messages
    where org_id = ${orgId} and provider_id = any(${providerIds as string[]})`
  return new Set(rows.map(({ id }) => id))
}
