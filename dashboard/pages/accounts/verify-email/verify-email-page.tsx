import { publicApi } from '../../../api/client.ts'
import { ConfirmEmailLink } from './confirm-email-link.tsx'

export function VerifyEmailPage() {
  return (
    <ConfirmEmailLink
      page="/verify-email"
      confirm={(token) => publicApi.signIn.verifyEmail({ token })}
      pendingTitle="Verifying your email"
      doneTitle="Email verified"
      outcome="is now verified."
      signInTitle="Sign in to verify your email"
      expired="The link was already used or has expired. You can request a new one in your account settings."
    />
  )
}
