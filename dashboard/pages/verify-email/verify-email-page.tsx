import { publicApi } from '../../api/client.ts'
import { ConfirmEmailLink } from './confirm-email-link.tsx'

export function VerifyEmailPage() {
  return (
    <ConfirmEmailLink
      page="/verify-email"
      confirm={(token) => publicApi.signIn.verifyEmail({ token })}
      working="Verifying your email"
      done="Email verified"
      outcome="is now verified."
      signInFirst="Sign in to verify your email"
      expired="The link was already used or has expired. You can request a new one in your account settings."
    />
  )
}
