import { Link } from '@tanstack/react-router'
import { buttonClass } from '../../../components/button.tsx'
import { AuthLayout } from '../../../components/layout/auth-layout.tsx'

/** Replaces a form that the server does not offer: it cannot send email, or sign-up is by invitation only. */
export function NoMail({ title, lead }: { title: string; lead: string }) {
  return (
    <AuthLayout title={title} lead={lead}>
      <Link to="/sign-in" className={`self-start ${buttonClass()}`}>
        Go to sign in
      </Link>
    </AuthLayout>
  )
}
