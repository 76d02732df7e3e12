import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { buttonClass } from '../../components/button.tsx'
import { AuthFailure } from '../../components/layout/auth-failure.tsx'
import { AuthLayout } from '../../components/layout/auth-layout.tsx'
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
  return methods.data.signup === 'open' ? <SignUpForm /> : <InvitationOnly />
}

function InvitationOnly() {
  return (
    <AuthLayout
      title="Sign-up is by invitation only"
      lead="Ask an admin of your organization to invite you. The invitation email contains a link to create your account."
    >
      <Link to="/sign-in" className={`self-start ${buttonClass()}`}>
        Go to sign in
      </Link>
    </AuthLayout>
  )
}
