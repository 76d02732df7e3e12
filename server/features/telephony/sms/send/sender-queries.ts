import { NumberSettings } from '../../../../../contract/telephony/telephony-fields.ts'
import type { Caller } from '../../../../context.ts'
import type { Fragment, Sql } from '../../../../database/database.ts'
import type { OrganizationClaim } from '../../../../jobs/organization-loop.ts'
import { projectAccess } from '../../../projects/access/access.ts'

/** A number that messages are sent from. */
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

/** The oldest number that can send text messages and whose project the caller sees, or the one that is named. */
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

/** Null if the number was released. */
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

/** Makes a number due after a message was queued for it. */
export const wakeSender = (sql: Sql, orgId: string, numberId: string, now: Date) => sql`
  insert into sms_senders as s (org_id, number_id, due_at) values (${orgId}, ${numberId}, ${now})
  on conflict (org_id, number_id) do update set due_at = least(s.due_at, excluded.due_at)`

/** A number whose messages one worker sends. */
export interface ClaimedSender {
  orgId: string
  numberId: string
  lease: number
}

/** Claims numbers with messages that are due, in turns between organizations. */
export const claimSenders = (
  sql: Sql,
  { running, perOrganization, limit, now, leasedUntil }: OrganizationClaim,
) => sql<ClaimedSender[]>`
  with recursive busy as (
    select * from jsonb_to_recordset(${sql.json(running as never)}) as b ("orgId" uuid, count int)
  ), orgs as (
    (select org_id from sms_senders where due_at is not null order by org_id limit 1)
    union all
    select (select s.org_id from sms_senders s where s.due_at is not null and s.org_id > o.org_id order by s.org_id limit 1)
    from orgs o where o.org_id is not null
  ), due as (
    select d.*, row_number() over (partition by d.org_id order by d.due_at) as turn
    from orgs o left join busy b on b."orgId" = o.org_id
    cross join lateral (
      select s.org_id, s.number_id, s.due_at from sms_senders s
      where s.org_id = o.org_id and s.due_at <= ${now} and (s.held_until is null or s.held_until <= ${now})
      order by s.due_at limit greatest(0, ${perOrganization}::int - coalesce(b.count, 0)) for update skip locked
    ) d
    where o.org_id is not null
  ), chosen as (
    select * from due order by turn, due_at limit ${limit}
  )
  update sms_senders s set lease = s.lease + 1, held_until = ${leasedUntil} from chosen c
  where s.org_id = c.org_id and s.number_id = c.number_id
  returning s.org_id as "orgId", s.number_id as "numberId", s.lease`

/**
 * Ends a claim on its transaction: the number is due again when its next message is, which the second statement sees also if
 * it was queued in the meantime.
 */
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

/** Releases all leases when the only process on the database starts: every lease belongs to a killed process. */
export const releaseOrphanedSenders = (sql: Sql, now: Date) => sql`
  update sms_senders set held_until = null, lease = lease + 1 where held_until > ${now}`
