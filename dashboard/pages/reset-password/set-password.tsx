import { Link } from '@tanstack/react-router'
import { publicApi } from '../../api/client.ts'
import { buttonClass } from '../../components/button.tsx'
import { AuthLayout } from '../../components/layout/auth-layout.tsx'
import { PasswordByLink } from '../sign-in/password-by-link.tsx'

/** A new password ends every session that was open. */
export function SetPassword({ token }: { token: string }) {
  return (
    <PasswordByLink
      title="Set a new password"
      lead="It takes the place of the old one. You are signed out everywhere else."
      label="New password"
      action="Set password and sign in"
      submit={(password) => publicApi.signIn.resetPassword({ token, password })}
      spent={<Spent />}
    />
  )
}

function Spent() {
  return (
    <AuthLayout
      title="This link does not work any more"
      lead="A link to set a password works once, for an hour, and must be opened whole. Your password is as it was."
    >
      <Link to="/reset-password" className={`self-start ${buttonClass('primary')}`}>
        Mail me a new link
      </Link>
    </AuthLayout>
  )
}
