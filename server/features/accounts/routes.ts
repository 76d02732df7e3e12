import { accounts } from '../../../contract/accounts.ts'
import { oauth } from '../../../contract/oauth.ts'
import { passkeys } from '../../../contract/passkeys.ts'
import { security } from '../../../contract/security.ts'
import { signIn } from '../../../contract/sign-in.ts'
import type { Config } from '../../config.ts'
import { handle } from '../../route.ts'
import { changeEmail, requestEmailChange } from './email-change.ts'
import { sendVerification, verifyEmail } from './email-verification.ts'
import { sendMagicLink, signInByMagicLink } from './magic-link.ts'
import { finishOAuth, listProviders, type OAuthOptions, startOAuth } from './oauth.ts'
import { beginPasskeySignIn, beginPasskeyStepUp, signInByPasskey } from './passkey-sign-in.ts'
import { addPasskey, beginPasskey, removePasskey, renamePasskey } from './passkeys.ts'
import { changePassword } from './password.ts'
import { requestPasswordReset, resetPassword } from './password-reset.ts'
import { switchPlace, updateProfile } from './profile.ts'
import { renewRecoveryCodes } from './recovery-codes.ts'
import { bringSecondFactor } from './second-factor.ts'
import { endOtherSessions, endSession, readSecurity } from './security.ts'
import { readSession, signOut } from './sessions.ts'
import { readSetupState, setUp } from './setup.ts'
import { signInByPassword } from './sign-in.ts'
import { confirmSignUp, signUp } from './sign-up.ts'
import { stepUp } from './step-up.ts'
import { beginTotp, confirmTotp, removeTotp } from './totp.ts'
import { unlinkIdentity } from './unlink-identity.ts'

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
  handle(signIn.secondFactor, bringSecondFactor),
  handle(signIn.sendMagicLink, sendMagicLink),
  handle(signIn.byMagicLink, signInByMagicLink),
  handle(signIn.signUp, signUp(signup)),
  handle(signIn.confirmSignUp, confirmSignUp(signup)),
  handle(signIn.requestPasswordReset, requestPasswordReset),
  handle(signIn.resetPassword, resetPassword),
  handle(signIn.verifyEmail, verifyEmail),
  handle(signIn.changeEmail, changeEmail),
]

export const securityRoutes = [
  handle(security.overview, readSecurity),
  handle(security.changePassword, changePassword),
  handle(security.sendVerification, sendVerification),
  handle(security.requestEmailChange, requestEmailChange),
  handle(security.beginTotp, beginTotp),
  handle(security.confirmTotp, confirmTotp),
  handle(security.removeTotp, removeTotp),
  handle(security.renewRecoveryCodes, renewRecoveryCodes),
  handle(security.unlinkIdentity, unlinkIdentity),
  handle(security.endSession, endSession),
  handle(security.endOtherSessions, endOtherSessions),
  handle(security.updateProfile, updateProfile),
  handle(security.switch, switchPlace),
]
