import { publicApi } from '../../api/client.ts'
import { ConfirmEmailLink } from './confirm-email-link.tsx'

export function VerifyEmailPage() {
  return (
    <ConfirmEmailLink
      page="/verify-email"
      follow={(token) => publicApi.signIn.verifyEmail({ token })}
      working="Verifying your address"
      done="Your address is verified"
      outcome="is yours; mail about your account goes there."
      signInFirst="Sign in to verify your address"
      spent="It was used before, is too old, or was not opened whole. Your account settings say whether the address is verified, and send a new link if it is not."
    />
  )
}
