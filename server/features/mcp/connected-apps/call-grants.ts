import type { Sql } from '../../../database/database.ts'
import { sha256 } from '../../../security/digest.ts'
import { newId } from '../../../security/ids.ts'
import { randomToken } from '../../../security/random.ts'
import { ACCESS_PREFIX } from './tokens/issue.ts'

const LIFETIME_MS = 3_600_000

interface NewCallGrant {
  callId: string
  projectId: string
  tools: readonly string[]
  /** The voice has this member's permissions. */
  userId: string
  /** Such as `api.openai.com`. The member sees it under connected apps. */
  host: string
  now: Date
}

/**
 * For a phone call's voice: reads one project, for an hour at most. Replaces the call's earlier grants. Must run inside
 * a transaction. The token isn't stored.
 */
export async function openCallGrant(sql: Sql, orgId: string, grant: NewCallGrant): Promise<string> {
  const token = ACCESS_PREFIX + randomToken(32)
  await updateCallRevoked(sql, orgId, grant.callId, grant.now)
  await insertCallGrant(sql, orgId, {
    ...grant,
    id: newId(),
    hash: sha256(token),
    // No code exists for this hash.
    codeHash: sha256(randomToken(32)),
    expiresAt: new Date(grant.now.getTime() + LIFETIME_MS),
  })
  return token
}

export const revokeCallGrants = (sql: Sql, orgId: string, callId: string, now: Date) =>
  updateCallRevoked(sql, orgId, callId, now)

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

async function insertCallGrant(sql: Sql, orgId: string, grant: NewGrant): Promise<void> {
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

const updateCallRevoked = (sql: Sql, orgId: string, callId: string, now: Date) =>
  sql`update app_grants set revoked_at = ${now} where org_id = ${orgId} and call_id = ${callId} and revoked_at is null`
