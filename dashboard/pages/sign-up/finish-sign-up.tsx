import { Link } from '@tanstack/react-router'
import { publicApi } from '../../api/client.ts'
import { buttonClass } from '../../components/button.tsx'
import { AuthLayout } from '../../components/layout/auth-layout.tsx'
import { PasswordByLink } from '../sign-in/password-by-link.tsx'

/** The mailed link has shown that the address is theirs; a password makes the account. */
export function FinishSignUp({ token }: { token: string }) {
  return (
    <PasswordByLink
      title="Choose a password"
      lead="Your address is confirmed. This is the last step."
      action="Create the account"
      submit={(password) => publicApi.signIn.confirmSignUp({ token, password })}
      spent={<Spent />}
    />
  )
}

function Spent() {
  return (
    <AuthLayout
      title="This link does not work any more"
      lead="It works once, for a day, and must be opened whole. If you finished with it already, sign in; otherwise begin again."
    >
      <div className="flex gap-8">
        <Link to="/sign-in" className={buttonClass('primary')}>
          Go to sign-in
        </Link>
        <Link to="/sign-up" className={buttonClass()}>
          Begin again
        </Link>
      </div>
    </AuthLayout>
  )
}
