import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { AuthFailure } from '../../../components/layout/auth-layout.tsx'
import { NoMail } from '../sign-in/no-mail.tsx'
import { signInMethodsQuery } from '../sign-in/sign-in-queries.ts'
import { FinishSignUp } from './finish-sign-up.tsx'
import { SignUpForm } from './sign-up-form.tsx'

/** Two steps with an email between them, so that users cannot claim an address they do not own. */
export function SignUpPage() {
  const { hash } = useLocation()
  const methods = useQuery(signInMethodsQuery)
  if (hash) return <FinishSignUp key={hash} token={hash} />
  if (methods.error && !methods.data)
    return <AuthFailure error={methods.error} onRetry={() => methods.refetch()} />
  if (!methods.data) return null
  if (methods.data.signup !== 'open') {
    return (
      <NoMail
        title="Sign-up is by invitation only"
        lead="Ask an admin of your organization to invite you. The invitation contains a link to create your account."
      />
    )
  }
  if (!methods.data.mail) {
    return (
      <NoMail
        title="Sign-up is unavailable"
        lead="New accounts are confirmed by email, and this server can’t send any yet. Ask its operator to set ATRIUM_SMTP_URL."
      />
    )
  }
  return <SignUpForm />
}
