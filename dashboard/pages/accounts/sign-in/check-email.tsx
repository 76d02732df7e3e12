import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { buttonClass } from '../../../components/button.tsx'
import { AuthLayout } from '../../../components/layout/auth-layout.tsx'

interface CheckEmailProps {
  email: string
  lead: ReactNode
  children: ReactNode
}

/** Shows the same text for known and unknown addresses, like the server, so accounts can't be enumerated. */
export function CheckEmail({ email, lead, children }: CheckEmailProps) {
  return (
    <AuthLayout
      title="Check your email"
      lead={
        <>
          We sent an email to <span className="font-medium text-neutral-12">{email}</span>. {lead}
        </>
      }
    >
      <p role="status" className="text-13 text-neutral-11">
        Didn’t get it? Check your spam folder and the address above.
      </p>
      <div className="flex flex-wrap gap-16">{children}</div>
    </AuthLayout>
  )
}

export const AUTH_LINK = 'text-selection-text underline underline-offset-4'

/** The server can't send email, or sign-up is by invitation only. */
export function NoMail({ title, lead }: { title: string; lead: string }) {
  return (
    <AuthLayout title={title} lead={lead}>
      <Link to="/sign-in" className={`self-start ${buttonClass()}`}>
        Go to sign in
      </Link>
    </AuthLayout>
  )
}
