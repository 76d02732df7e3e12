import type { Sql } from '../../../database/database.ts'

interface NewGrant {
  id: string
  callId: string
  projectId: string
  tools: readonly string[]
  userId: string
  host: string
  hash: Buffer
  codeHash: Buffer
  expiresAt: Date
  now: Date
}

export async function insertCallGrant(sql: Sql, orgId: string, grant: NewGrant): Promise<void> {
  const { id, now, expiresAt } = grant
  await sql`
    with granted as (
      insert into app_grants (org_id, id, user_id, client_id, client_name, client_host, access, redirect_uri, challenge,
        code_hash, code_expires_at, code_used_at, refresh_until, expires_at, created_at, project_id, call_id, tools)
      values (${orgId}, ${id}, ${grant.userId}, 'call', 'Phone call', ${grant.host}, 'read', '', '', ${grant.codeHash},
        ${now}, ${now}, ${expiresAt}, ${expiresAt}, ${now}, ${grant.projectId}, ${grant.callId}, ${grant.tools as string[]})
      returning org_id, id
    )
    insert into app_tokens (org_id, grant_id, hash, kind, expires_at, created_at)
    select org_id, id, ${grant.hash}, 'access', ${expiresAt}, ${now} from granted`
}

export const updateCallRevoked = (sql: Sql, orgId: string, callId: string, now: Date) =>
  sql`update app_grants set revoked_at = ${now} where org_id = ${orgId} and call_id = ${callId} and revoked_at is null`
