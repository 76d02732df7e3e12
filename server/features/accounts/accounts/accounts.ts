import type { Logger } from 'pino'
import { accounts as endpoints } from '../../../../contract/accounts/accounts.ts'
import { oauth } from '../../../../contract/accounts/oauth.ts'
import { passkeys } from '../../../../contract/accounts/passkeys.ts'
import { security } from '../../../../contract/accounts/security.ts'
import { signIn } from '../../../../contract/accounts/sign-in.ts'
import type { Config } from '../../../config/config.ts'
import type { Caller } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import type { LastUsedBuffer } from '../../../database/last-used-buffer.ts'
import { handle } from '../../../endpoint/route.ts'
import type { Feature } from '../../../feature.ts'
import { changeEmail, requestEmailChange } from './email/email-change.ts'
import { requestVerification, verifyEmail } from './email/email-verification.ts'
import { organizationCreated, signInReplaced } from './hooks.ts'
import { accountJobs } from './jobs.ts'
import { unlinkIdentity } from './oauth/identities.ts'
import { createIdentityProviders } from './oauth/identity-providers.ts'
import { finishOAuth, listProviders, type OAuthOptions, startOAuth } from './oauth/oauth-sign-in.ts'
import {
  addPasskey,
  beginPasskey,
  beginPasskeySignIn,
  beginPasskeyStepUp,
  removePasskey,
  renamePasskey,
  signInByPasskey,
} from './passkeys/passkeys.ts'
import { switchWorkspace, updateProfile } from './profile.ts'
import { type SessionRow, updateSessionsSeen } from './queries.ts'
import {
  endOtherSessions,
  endSession,
  readSecurity,
  readSession,
  sessionExpiry,
  signOut,
} from './sessions/sessions.ts'
import { stepUp } from './sessions/step-up.ts'
import { readSetupState, setUp } from './setup/setup.ts'
import { changePassword, requestPasswordReset, resetPassword } from './sign-in/password.ts'
import { verifySecondFactor } from './sign-in/second-factor.ts'
import { requestMagicLink, signInByMagicLink, signInByPassword } from './sign-in/sign-in.ts'
import { confirmSignUp, signUp } from './sign-in/sign-up.ts'
import { beginTotp, confirmTotp, removeTotp, renewRecoveryCodes } from './totp/totp.ts'

export { consumeAttempt } from './attempts.ts'
export { findEmail, findInvitedLanguage, findVerifiedUser } from './email/email-queries.ts'
export { verifyAddress } from './email/email-verification.ts'
export { linkExpired } from './email/mailed-link.ts'
export { isMailAllowed as isLinkMailAllowed } from './email/mails.ts'
export { organizationCreated, signInReplaced } from './hooks.ts'
export {
  deleteExpiredSessions,
  eraseAccounts,
  findOtherDefaultWorkspace,
  findSessions,
  insertInvitedUser,
  isOnlyOrganizationOfOperator,
  listOperators,
  lockUser,
  moveSessions,
  updateSessionWorkspace,
} from './queries.ts'
export { areCredentialsValid, isCredentialValid, readSession } from './sessions/sessions.ts'
export { createSetupToken, setUpFromConfig } from './setup/setup.ts'
export { createSession, requireSecondFactor } from './sign-in/complete-sign-in.ts'
export { checkLinkPassword, LINK_VISITOR_DAYS } from './sign-in/link-password.ts'
export { issueResetLink } from './sign-in/password.ts'
export { authenticate } from './sign-in/sign-in.ts'

/** Sign-up, sign-in, second factors, sessions and each user's account settings. */
export const accounts = ({
  signup,
  oauthClients,
  log,
}: Pick<Config, 'signup' | 'oauthClients'> & { log: Logger }): Feature => ({
  routes: [
    ...accountRoutes,
    ...passkeyRoutes,
    ...oauthRoutes({ providers: createIdentityProviders(oauthClients), signup, log }),
    ...signInRoutes(signup),
    ...securityRoutes,
  ],
  jobs: accountJobs(signup),
  hooks: [organizationCreated, signInReplaced],
})

const accountRoutes = [
  handle(endpoints.setupState, readSetupState),
  handle(endpoints.setup, setUp),
  handle(endpoints.signIn, signInByPassword),
  handle(endpoints.signOut, signOut),
  handle(endpoints.session, readSession),
  handle(endpoints.stepUp, stepUp),
]

const passkeyRoutes = [
  handle(passkeys.signInOptions, beginPasskeySignIn),
  handle(passkeys.signIn, signInByPasskey),
  handle(passkeys.stepUpOptions, beginPasskeyStepUp),
  handle(passkeys.registrationOptions, beginPasskey),
  handle(passkeys.add, addPasskey),
  handle(passkeys.rename, renamePasskey),
  handle(passkeys.remove, removePasskey),
]

const oauthRoutes = (options: OAuthOptions) => [
  handle(oauth.providers, listProviders(options)),
  handle(oauth.start, startOAuth(options)),
  handle(oauth.callback, finishOAuth(options)),
]

const signInRoutes = (signup: Config['signup']) => [
  handle(signIn.secondFactor, verifySecondFactor),
  handle(signIn.sendMagicLink, requestMagicLink),
  handle(signIn.byMagicLink, signInByMagicLink(signup)),
  handle(signIn.signUp, signUp(signup)),
  handle(signIn.confirmSignUp, confirmSignUp(signup)),
  handle(signIn.requestPasswordReset, requestPasswordReset),
  handle(signIn.resetPassword, resetPassword(signup)),
  handle(signIn.verifyEmail, verifyEmail),
  handle(signIn.changeEmail, changeEmail),
]

const securityRoutes = [
  handle(security.overview, readSecurity),
  handle(security.changePassword, changePassword),
  handle(security.sendVerification, requestVerification),
  handle(security.requestEmailChange, requestEmailChange),
  handle(security.beginTotp, beginTotp),
  handle(security.confirmTotp, confirmTotp),
  handle(security.removeTotp, removeTotp),
  handle(security.renewRecoveryCodes, renewRecoveryCodes),
  handle(security.unlinkIdentity, unlinkIdentity),
  handle(security.endSession, endSession),
  handle(security.endOtherSessions, endOtherSessions),
  handle(security.updateProfile, updateProfile),
  handle(security.switch, switchWorkspace),
]

const EXTEND_INTERVAL_MS = 60_000

/** Use extends the session, and a buffer batches those writes. */
export async function identifySession(
  find: (tokenHash: Buffer) => Promise<SessionRow | null>,
  tokenHash: Buffer,
  now: Date,
  lastUsed: LastUsedBuffer,
): Promise<Caller | null> {
  const row = await find(tokenHash)
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
