import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { buttonClass } from '../../components/button.tsx'
import { AuthFailure } from '../../components/layout/auth-failure.tsx'
import { AuthLayout } from '../../components/layout/auth-layout.tsx'
import { signInMethodsQuery } from '../sign-in/sign-in-queries.ts'
import { FinishSignUp } from './finish-sign-up.tsx'
import { SignUpForm } from './sign-up-form.tsx'

/** Two halves with a mail between them, so that nobody takes an address that is not theirs. */
export function SignUpPage() {
  const { hash } = useLocation()
  const ways = useQuery(signInMethodsQuery)
  if (hash) return <FinishSignUp key={hash} token={hash} />
  if (ways.error && !ways.data) return <AuthFailure error={ways.error} onRetry={() => ways.refetch()} />
  if (!ways.data) return null
  return ways.data.signup === 'open' ? <SignUpForm /> : <ByInvitation />
}

function ByInvitation() {
  return (
    <AuthLayout
      title="New people come by invitation"
      lead="This server takes no sign-ups. Ask an admin of your organization to invite you; the mail holds a link that makes your account."
    >
      <Link to="/sign-in" className={`self-start ${buttonClass()}`}>
        Go to sign-in
      </Link>
    </AuthLayout>
  )
}
