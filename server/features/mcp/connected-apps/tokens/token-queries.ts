import type { Sql } from '../../../../database/database.ts'
import type { GrantAccess } from '../oauth-protocol.ts'

/** A code or token identifies its grant, and the grant its organization. */
interface GrantOfSecret {
  orgId: string
  grantId: string
  clientId: string
  access: GrantAccess
  expiresAt: string | null
  revokedAt: string | null
}

export interface CodeRow extends GrantOfSecret {
  redirectUri: string
  challenge: string
  codeExpiresAt: string
  codeUsedAt: string | null
  sessionId: string | null
}

/** Held until the transaction ends: a second exchange finds the code used. */
export async function lockByCode(sql: Sql, codeHash: Buffer) {
  const [row] = await sql<CodeRow[]>`
    select org_id as "orgId", id as "grantId", client_id as "clientId", access, expires_at as "expiresAt",
      revoked_at as "revokedAt", redirect_uri as "redirectUri", challenge, code_expires_at as "codeExpiresAt",
      code_used_at as "codeUsedAt", session_id as "sessionId"
    from app_grants where code_hash = ${codeHash} for update`
  return row ?? null
}

export interface TokenRow extends GrantOfSecret {
  kind: 'access' | 'refresh'
  tokenExpiresAt: string
  usedAt: string | null
  successor: string | null
}

/** Held until the transaction ends: a second refresh gets the first one's tokens. */
export async function lockToken(sql: Sql, hash: Buffer) {
  const [row] = await sql<TokenRow[]>`
    select t.org_id as "orgId", t.grant_id as "grantId", g.client_id as "clientId", g.access, g.expires_at as "expiresAt",
      g.revoked_at as "revokedAt", t.kind, t.expires_at as "tokenExpiresAt", t.used_at as "usedAt", t.successor
    from app_tokens t join app_grants g on g.org_id = t.org_id and g.id = t.grant_id
    where t.hash = ${hash} for update of t`
  return row ?? null
}

interface NewToken {
  hash: Buffer
  expiresAt: Date
}

export async function insertTokens(
  sql: Sql,
  orgId: string,
  { grantId, access, refresh, now }: { grantId: string; access: NewToken; refresh: NewToken; now: Date },
): Promise<void> {
  await sql`
    with tokens as (
      insert into app_tokens (org_id, grant_id, hash, kind, expires_at, created_at)
      values (${orgId}, ${grantId}, ${access.hash}, 'access', ${access.expiresAt}, ${now}),
        (${orgId}, ${grantId}, ${refresh.hash}, 'refresh', ${refresh.expiresAt}, ${now}))
    update app_grants set refresh_until = ${refresh.expiresAt}, code_used_at = coalesce(code_used_at, ${now})
    where org_id = ${orgId} and id = ${grantId}`
}

export const updateExchanged = (sql: Sql, orgId: string, hash: Buffer, successor: string, now: Date) =>
  sql`update app_tokens set used_at = ${now}, successor = ${successor} where org_id = ${orgId} and hash = ${hash}`

export const deleteToken = (sql: Sql, orgId: string, hash: Buffer) =>
  sql`delete from app_tokens where org_id = ${orgId} and hash = ${hash}`
