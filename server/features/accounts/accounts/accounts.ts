import type { Logger } from 'pino'
import type { Config } from '../../../config/config.ts'
import type { Caller } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import type { LastUsedBuffer } from '../../../database/last-used-buffer.ts'
import type { Feature } from '../../../feature.ts'
import { sha256 } from '../../../security/digest.ts'
import { accountJobs } from './jobs.ts'
import { identityProvidersOf } from './oauth/identity-providers.ts'
import { findSession, updateSessionsSeen } from './queries.ts'
import { accountRoutes, oauthRoutes, passkeyRoutes, securityRoutes, signInRoutes } from './routes.ts'
import { sessionExpiry } from './sessions/sessions.ts'

export { isMailAllowed as isLinkMailAllowed } from './email/email-links.ts'
export { findEmail, findVerifiedUser } from './email/email-queries.ts'
export { linkExpired } from './email/link-expired.ts'
export { verifyAddress } from './email/verify-address.ts'
export { eraseAccounts } from './erase-queries.ts'
export {
  findOtherDefaultWorkspace,
  insertInvitedUser,
  lockUser,
  moveSessions,
  updateSessionWorkspace,
} from './member-queries.ts'
export { deleteExpiredSessions, isOnlyOrganizationOfOperator, listOperators } from './queries.ts'
export { areCredentialsValid, isCredentialValid } from './sessions/credential-check.ts'
export { readSession } from './sessions/sessions.ts'
export { createSetupToken, setUpFromConfig } from './setup/setup.ts'
export { consumeAttempt } from './sign-in/attempt-limit.ts'
export { createSession, requireSecondFactor } from './sign-in/complete-sign-in.ts'
export { checkLinkPassword, LINK_VISITOR_DAYS } from './sign-in/link-password.ts'
export { issueResetLink } from './sign-in/reset-link.ts'
export { authenticate } from './sign-in/sign-in.ts'

export const accounts = ({
  signup,
  oauthClients,
  log,
}: Pick<Config, 'signup' | 'oauthClients'> & { log: Logger }): Feature => ({
  routes: [
    ...accountRoutes,
    ...passkeyRoutes,
    ...oauthRoutes({ providers: identityProvidersOf(oauthClients), signup, log }),
    ...signInRoutes(signup),
    ...securityRoutes,
  ],
  jobs: accountJobs(signup),
})

const EXTEND_INTERVAL_MS = 60_000

/** The caller of a session cookie. Use extends the session; a buffer batches those writes. */
export async function identifySession(
  sql: Sql,
  token: string,
  now: Date,
  lastUsed: LastUsedBuffer,
): Promise<Caller | null> {
  const row = await findSession(sql, sha256(token), now)
  if (!row) return null
  if (now.getTime() - Date.parse(row.lastSeenAt) > EXTEND_INTERVAL_MS) lastUsed.add(row.id)
  const { id, userId, orgId, workspaceId, role, operator, stepUpUntil, stepUpMethods } = row
  return {
    via: 'session',
    credentialId: id,
    userId,
    orgId,
    workspaceId,
    role,
    operator,
    scopes: 'all',
    stepUpUntil,
    stepUpMethods,
  }
}

export const extendSessions = (sql: Sql, ids: string[], now: Date) =>
  updateSessionsSeen(sql, ids, now, sessionExpiry(now))
