import type { Sql } from '../../../../database/database.ts'
import { withoutTokens } from '../queries.ts'
import type { OAuthClientState } from './oauth-state.ts'

export interface StoredTokens {
  sealed: string
  expiresAt: Date | null
}

export const updateClient = (
  sql: Sql,
  orgId: string,
  id: string,
  { oauth, clientSecretSealed }: { oauth: OAuthClientState; clientSecretSealed: string | null },
) => sql`
  update mcp_servers set oauth = ${sql.json(oauth as never)}, client_secret_sealed = ${clientSecretSealed}
  where org_id = ${orgId} and id = ${id}`

export const updateSignedIn = (
  sql: Sql,
  orgId: string,
  id: string,
  { sealed, expiresAt, by, now }: StoredTokens & { by: string; now: Date },
) => sql`
  update mcp_servers set tokens_sealed = ${sealed}, tokens_expire_at = ${expiresAt}, signed_in_by = ${by},
    signed_in_at = ${now}, needs_sign_in = false, refreshing_until = null, failing_since = null, problem = null
  where org_id = ${orgId} and id = ${id}`

export const updateSignedOut = (sql: Sql, orgId: string, id: string) => sql`
  update mcp_servers set ${withoutTokens(sql)}, needs_sign_in = true, refreshing_until = null
  where org_id = ${orgId} and id = ${id}`

/** Returns false if the tokens changed or another process is refreshing them. */
export async function claimRefresh(
  sql: Sql,
  orgId: string,
  id: string,
  seen: string,
  { now, until }: { now: Date; until: Date },
): Promise<boolean> {
  const { count } = await sql`
    update mcp_servers set refreshing_until = ${until}
    where org_id = ${orgId} and id = ${id} and tokens_sealed = ${seen}
      and (refreshing_until is null or refreshing_until < ${now})`
  return count === 1
}

/** Unless an admin signed in or out since. */
export const updateRefreshed = (
  sql: Sql,
  orgId: string,
  id: string,
  seen: string,
  { sealed, expiresAt }: StoredTokens,
) => sql`
  update mcp_servers set tokens_sealed = ${sealed}, tokens_expire_at = ${expiresAt}, refreshing_until = null
  where org_id = ${orgId} and id = ${id} and tokens_sealed = ${seen}`

export const releaseRefresh = (sql: Sql, orgId: string, id: string, seen: string) => sql`
  update mcp_servers set refreshing_until = null where org_id = ${orgId} and id = ${id} and tokens_sealed = ${seen}`

export const deleteRefused = (sql: Sql, orgId: string, id: string, seen: string) => sql`
  update mcp_servers set ${withoutTokens(sql)}, needs_sign_in = true, refreshing_until = null
  where org_id = ${orgId} and id = ${id} and tokens_sealed = ${seen}`
