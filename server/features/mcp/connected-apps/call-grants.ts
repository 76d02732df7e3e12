import type { Sql } from '../../../database/database.ts'
import { sha256 } from '../../../security/digest.ts'
import { newId } from '../../../security/ids.ts'
import { randomToken } from '../../../security/random.ts'
import { insertCallGrant, updateCallRevoked } from './call-grant-queries.ts'
import { ACCESS_PREFIX } from './tokens/issue.ts'

const LIFETIME_MS = 3_600_000

export interface NewCallGrant {
  callId: string
  projectId: string
  /** The names of the tools that the voice may use. */
  tools: readonly string[]
  /** The member whose rights the voice has. */
  userId: string
  /** The host where the voice runs, such as `api.openai.com`; the member sees it under connected apps. */
  host: string
  now: Date
}

/**
 * A grant for the voice of a phone call, without an app that a person connected: it reads one project, for an hour at most.
 * Replaces the earlier grants of the call. Must run inside a transaction. The token is not stored.
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

/** Revokes the grants of a call that has ended. */
export const revokeCallGrants = (sql: Sql, orgId: string, callId: string, now: Date) =>
  updateCallRevoked(sql, orgId, callId, now)
