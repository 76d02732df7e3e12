import { publicApi } from '../../api/client.ts'
import { ConfirmEmailLink } from './confirm-email-link.tsx'

export function ChangeEmailPage() {
  return (
    <ConfirmEmailLink
      page="/change-email"
      follow={(token) => publicApi.signIn.changeEmail({ token })}
      working="Changing your address"
      done="Your address is changed"
      outcome="is the address you sign in with from now on. Your other sessions have ended."
      signInFirst="Sign in to change your address"
      spent="It was used before, is older than an hour, or was not opened whole. Your account settings say which address you have, and change it."
    />
  )
}
