import { Link } from '@tanstack/react-router'
import { publicApi } from '../../../api/client.ts'
import { buttonClass } from '../../../components/button.tsx'
import { AuthLayout } from '../../../components/layout/auth-layout.tsx'
import { PasswordByLink } from '../sign-in/password-by-link.tsx'

/** Setting a new password revokes all other sessions. */
export function SetPassword({ token }: { token: string }) {
  return (
    <PasswordByLink
      title="Set a new password"
      lead="You will be signed out on all other devices."
      label="New password"
      action="Set password and sign in"
      submit={async (password) => ({ session: await publicApi.signIn.resetPassword({ token, password }) })}
      expired={<ExpiredLink />}
    />
  )
}

function ExpiredLink() {
  return (
    <AuthLayout
      title="This link has expired"
      lead="Reset links work once, for a limited time. Your password has not changed."
    >
      <Link to="/reset-password" className={`self-start ${buttonClass('primary')}`}>
        Request a new link
      </Link>
    </AuthLayout>
  )
}
