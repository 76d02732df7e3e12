import { accounts } from '../../../../contract/accounts/accounts.ts'
import { oauth } from '../../../../contract/accounts/oauth.ts'
import { passkeys } from '../../../../contract/accounts/passkeys.ts'
import { security } from '../../../../contract/accounts/security.ts'
import { signIn } from '../../../../contract/accounts/sign-in.ts'
import type { Config } from '../../../config/config.ts'
import { handle } from '../../../endpoint/route.ts'
import { changeEmail, requestEmailChange } from './email/email-change.ts'
import { requestVerification, verifyEmail } from './email/email-verification.ts'
import { finishOAuth, listProviders, type OAuthOptions, startOAuth } from './oauth/oauth-sign-in.ts'
import { unlinkIdentity } from './oauth/unlink-identity.ts'
import { beginPasskeySignIn, beginPasskeyStepUp, signInByPasskey } from './passkeys/passkey-sign-in.ts'
import { addPasskey, beginPasskey, removePasskey, renamePasskey } from './passkeys/passkeys.ts'
import { switchWorkspace, updateProfile } from './profile/profile.ts'
import { endOtherSessions, endSession, readSecurity } from './sessions/security.ts'
import { readSession, signOut } from './sessions/sessions.ts'
import { stepUp } from './sessions/step-up.ts'
import { readSetupState, setUp } from './setup/setup.ts'
import { requestMagicLink, signInByMagicLink } from './sign-in/magic-link.ts'
import { changePassword } from './sign-in/password.ts'
import { requestPasswordReset, resetPassword } from './sign-in/password-reset.ts'
import { verifySecondFactor } from './sign-in/second-factor.ts'
import { signInByPassword } from './sign-in/sign-in.ts'
import { confirmSignUp, signUp } from './sign-in/sign-up.ts'
import { renewRecoveryCodes } from './totp/recovery-codes.ts'
import { beginTotp, confirmTotp, removeTotp } from './totp/totp.ts'

export const accountRoutes = [
  handle(accounts.setupState, readSetupState),
  handle(accounts.setup, setUp),
  handle(accounts.signIn, signInByPassword),
  handle(accounts.signOut, signOut),
  handle(accounts.session, readSession),
  handle(accounts.stepUp, stepUp),
]

export const passkeyRoutes = [
  handle(passkeys.signInOptions, beginPasskeySignIn),
  handle(passkeys.signIn, signInByPasskey),
  handle(passkeys.stepUpOptions, beginPasskeyStepUp),
  handle(passkeys.registrationOptions, beginPasskey),
  handle(passkeys.add, addPasskey),
  handle(passkeys.rename, renamePasskey),
  handle(passkeys.remove, removePasskey),
]

export const oauthRoutes = (options: OAuthOptions) => [
  handle(oauth.providers, listProviders(options)),
  handle(oauth.start, startOAuth(options)),
  handle(oauth.callback, finishOAuth(options)),
]

export const signInRoutes = (signup: Config['signup']) => [
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

export const securityRoutes = [
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
