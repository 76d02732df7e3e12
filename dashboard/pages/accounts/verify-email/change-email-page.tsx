import { publicApi } from '../../../api/client.ts'
import { ConfirmEmailLink } from './confirm-email-link.tsx'

export function ChangeEmailPage() {
  return (
    <ConfirmEmailLink
      page="/change-email"
      confirm={(token) => publicApi.signIn.changeEmail({ token })}
      pendingTitle="Changing your email"
      doneTitle="Email changed"
      outcome="is now your email address. Your other sessions were signed out."
      signInTitle="Sign in to change your email"
      expired="The link works once and expires after 1 hour. You can change your email in your account settings."
    />
  )
}
