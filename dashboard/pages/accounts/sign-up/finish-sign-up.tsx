import { Link } from '@tanstack/react-router'
import { publicApi } from '../../../api/client.ts'
import { buttonClass } from '../../../components/button.tsx'
import { AuthLayout } from '../../../components/layout/auth-layout.tsx'
import { PasswordByLink } from '../sign-in/password-by-link.tsx'

/** The emailed link verified the address; setting a password creates the account. */
export function FinishSignUp({ token }: { token: string }) {
  return (
    <PasswordByLink
      title="Choose a password"
      lead="Your email address is verified. This is the last step."
      action="Create account"
      submit={async (password) => ({ session: await publicApi.signIn.confirmSignUp({ token, password }) })}
      expired={<ExpiredLink />}
    />
  )
}

function ExpiredLink() {
  return (
    <AuthLayout
      title="This link has expired"
      lead="The link works once and expires after 1 day. If you already created your account, sign in."
    >
      <div className="flex gap-8">
        <Link to="/sign-in" className={buttonClass('primary')}>
          Go to sign in
        </Link>
        <Link to="/sign-up" className={buttonClass()}>
          Sign up again
        </Link>
      </div>
    </AuthLayout>
  )
}
