import type { Sql } from '../../../../database/database.ts'

export interface ProviderRow {
  keySealed: string
  lastFour: string
  isLive: boolean
  customerId: string
  paymentMethodId: string
  updatedBy: string
  updatedAt: string
}

export async function findProvider(sql: Sql, orgId: string): Promise<ProviderRow | null> {
  const [row] = await sql<ProviderRow[]>`
    select key_sealed as "keySealed", key_last_four as "lastFour", is_live as "isLive", customer_id as "customerId",
      payment_method_id as "paymentMethodId", updated_by as "updatedBy", updated_at as "updatedAt"
    from payment_providers where org_id = ${orgId}`
  return row ?? null
}

export const upsertProvider = (
  sql: Sql,
  orgId: string,
  row: Omit<ProviderRow, 'updatedAt'> & { now: Date },
) => sql`
  insert into payment_providers (org_id, kind, key_sealed, key_last_four, is_live, customer_id, payment_method_id,
    updated_by, updated_at)
  values (${orgId}, 'stripe', ${row.keySealed}, ${row.lastFour}, ${row.isLive}, ${row.customerId},
    ${row.paymentMethodId}, ${row.updatedBy}, ${row.now})
  on conflict (org_id) do update set key_sealed = excluded.key_sealed, key_last_four = excluded.key_last_four,
    is_live = excluded.is_live, customer_id = excluded.customer_id, payment_method_id = excluded.payment_method_id,
    updated_by = excluded.updated_by, updated_at = excluded.updated_at`

export const deleteProvider = (sql: Sql, orgId: string) => sql`
  delete from payment_providers where org_id = ${orgId} returning org_id`
