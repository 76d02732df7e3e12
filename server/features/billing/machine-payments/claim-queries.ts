import type { Sql } from '../../../database/database.ts'
import { findPayment } from './payment-queries.ts'
import type { PaymentRow } from './records.ts'
import { nextInquiry } from './timing.ts'

/** Claims payments whose result has to be requested from the provider, so that two processes never request the same one. Organizations take turns. */
export async function claimDue(
  sql: Sql,
  { now, limit }: { now: Date; limit: number },
): Promise<PaymentRow[]> {
  const claimed = await sql<{ orgId: string; id: string }[]>`
    with waiting as (
      select org_id, id, due_at, row_number() over (partition by org_id order by due_at) as turn
      from machine_payments where due_at <= ${now}
    ), due as (
      select p.org_id, p.id from waiting w join machine_payments p on p.org_id = w.org_id and p.id = w.id
      where p.due_at <= ${now} order by w.turn, w.due_at limit ${limit} for update of p skip locked
    )
    update machine_payments p set inquiries = p.inquiries + 1, due_at = ${nextInquiry(now, 0)} from due d
    where p.org_id = d.org_id and p.id = d.id returning p.org_id as "orgId", p.id`
  const rows = await Promise.all(claimed.map(({ orgId, id }) => findPayment(sql, orgId, id)))
  return rows.flatMap((row) => row ?? [])
}
