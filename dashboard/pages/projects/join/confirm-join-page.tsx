import { Link, useLocation } from '@tanstack/react-router'
import { publicApi } from '../../../api/client.ts'
import { buttonClass } from '../../../components/button.tsx'
import { AuthLayout } from '../../../components/layout/auth-layout.tsx'
import { PasswordByLink } from '../../accounts/sign-in/password-by-link.tsx'

export function ConfirmJoinPage() {
  const { hash: token } = useLocation()
  if (!token) return <ExpiredLink />
  return (
    <PasswordByLink
      key={token}
      title="Choose a password"
      lead="Your email address is confirmed. This is the last step."
      action="Create account and join"
      submit={async (password) => {
        const { session, projectId } = await publicApi.sharing.confirmJoin({ token, password })
        return { session, next: `/projects/${projectId}` }
      }}
      expired={<ExpiredLink />}
    />
  )
}

function ExpiredLink() {
  return (
    <AuthLayout
      title="This link has expired"
      lead="The link works once and expires after 1 day or when the invitation is revoked. If you already joined, sign in. Otherwise, open the invitation link again."
    >
      <Link to="/sign-in" className={`self-start ${buttonClass('primary')}`}>
        Go to sign in
      </Link>
    </AuthLayout>
  )
}
