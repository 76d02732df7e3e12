import type { Sql } from '../../../../database/database.ts'

export interface RevokedRow {
  slug: string
  config: Record<string, string>
  /** Values from responses of the provider that later requests need. */
  kept: Record<string, string>
  clientId: string | null
  sealed: string | null
}

/**
 * Marks a connection as revoked and deletes its secrets. Returns the data for the revocation at the provider; null if the
 * connection does not exist or is already revoked.
 */
export async function deleteConnection(
  sql: Sql,
  orgId: string,
  id: string,
  now: Date,
): Promise<RevokedRow | null> {
  const [row] = await sql<Omit<RevokedRow, 'sealed'>[]>`
    update connections set status = 'revoked', status_reason = null, shared = 'none', shared_project_id = null,
      pending_until = null, expires_at = null, refresh_due_at = null, refreshing_until = null,
      version = version + 1, updated_at = ${now}, deleted_at = ${now}
    where org_id = ${orgId} and id = ${id} and deleted_at is null
    returning connector_slug as slug, config, kept, client_id as "clientId"`
  if (!row) return null
  const [secrets] = await sql<{ sealed: string }[]>`
    delete from connection_secrets where org_id = ${orgId} and connection_id = ${id} returning sealed`
  return { ...row, sealed: secrets?.sealed ?? null }
}

export const listIdsOf = async (sql: Sql, orgId: string, userId: string): Promise<string[]> =>
  (
    await sql<{ id: string }[]>`
      select id from connections where org_id = ${orgId} and user_id = ${userId} and deleted_at is null order by id`
  ).map(({ id }) => id)
