import type { Sql } from '../../../../database/database.ts'

export interface ClientRow {
  slug: string
  clientId: string
  secretSealed: string
  updatedAt: string
}

/** The clients of an organization: at most one per connector. */
export const listClients = (sql: Sql, orgId: string) => sql<ClientRow[]>`
  select slug, client_id as "clientId", secret_sealed as "secretSealed", updated_at as "updatedAt"
  from connector_clients where org_id = ${orgId}`

export async function findClientRow(sql: Sql, orgId: string, slug: string): Promise<ClientRow | null> {
  const [row] = await sql<ClientRow[]>`
    select slug, client_id as "clientId", secret_sealed as "secretSealed", updated_at as "updatedAt"
    from connector_clients where org_id = ${orgId} and slug = ${slug}`
  return row ?? null
}

export async function upsertClient(
  sql: Sql,
  orgId: string,
  client: Pick<ClientRow, 'slug' | 'clientId' | 'secretSealed'> & { by: string; now: Date },
): Promise<void> {
  const { slug, clientId, secretSealed, by, now } = client
  await sql`
    insert into connector_clients (org_id, slug, client_id, secret_sealed, set_by, updated_at)
    values (${orgId}, ${slug}, ${clientId}, ${secretSealed}, ${by}, ${now})
    on conflict (org_id, slug) do update set client_id = excluded.client_id, secret_sealed = excluded.secret_sealed,
      set_by = excluded.set_by, updated_at = excluded.updated_at`
}

export async function deleteClient(sql: Sql, orgId: string, slug: string): Promise<boolean> {
  const { count } = await sql`delete from connector_clients where org_id = ${orgId} and slug = ${slug}`
  return count === 1
}
