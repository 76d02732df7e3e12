import { Link } from '@tanstack/react-router'
import { buttonClass } from '../../components/button.tsx'
import { AuthLayout } from '../../components/layout/auth-layout.tsx'

/** Replaces a form whose result would be an email, if the server cannot send any. */
export function NoMail({ title, lead }: { title: string; lead: string }) {
  return (
    <AuthLayout title={title} lead={lead}>
      <Link to="/sign-in" className={`self-start ${buttonClass()}`}>
        Go to sign in
      </Link>
    </AuthLayout>
  )
}
