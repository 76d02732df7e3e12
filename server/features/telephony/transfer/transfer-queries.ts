import type { CallEnd } from '../../../../contract/telephony/telephony-options.ts'
import type { Sql } from '../../../database/database.ts'
import { notify } from '../../../database/transaction.ts'
import type { OrganizationClaim } from '../../../jobs/organization-loop.ts'
import type { Transfer } from './states.ts'

/** Wakes the workers that carry out transfers. */
export const TRANSFERS_CHANNEL = 'atrium_transfers'

/** Stores a transfer and its due time: now if there is work, otherwise when a missing callback counts as lost. */
export async function updateTransfer(
  sql: Sql,
  orgId: string,
  callId: string,
  transfer: Transfer,
  dueAt: Date | null,
): Promise<void> {
  await sql`
    update calls set transfer = ${sql.json(transfer as never)}, transfer_due_at = ${dueAt}
    where org_id = ${orgId} and id = ${callId}`
  notify(sql, TRANSFERS_CHANNEL)
}

/** Stores the end reason of a call before it ends; the first reason stays. */
export const updateEndReason = (sql: Sql, orgId: string, callId: string, reason: CallEnd) => sql`
  update calls set end_reason = coalesce(end_reason, ${reason})
  where org_id = ${orgId} and id = ${callId} and ended_at is null`

export interface ClaimedTransfer {
  orgId: string
  id: string
}

/** Claims the calls whose transfer is due, in turns between organizations. */
export const claimTransfers = (
  sql: Sql,
  { running, perOrganization, limit, now, leasedUntil }: OrganizationClaim,
) => sql<ClaimedTransfer[]>`
  with busy as (
    select "orgId", count from jsonb_to_recordset(${sql.json(running as never)}) as b ("orgId" uuid, count int)
  ), waiting as (
    select c.org_id, c.id, c.transfer_due_at,
      row_number() over (partition by c.org_id order by c.transfer_due_at)
        + coalesce((select count from busy where "orgId" = c.org_id), 0) as turn
    from calls c where c.transfer_due_at <= ${now}
  ), due as (
    select c.org_id, c.id from waiting w join calls c on c.org_id = w.org_id and c.id = w.id
    where w.turn <= ${perOrganization} and c.transfer_due_at <= ${now}
    order by w.turn, w.transfer_due_at limit ${limit} for no key update of c skip locked
  )
  update calls c set transfer_due_at = ${leasedUntil} from due d
  where c.org_id = d.org_id and c.id = d.id
  returning c.org_id as "orgId", c.id`
