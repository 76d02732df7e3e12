import type { ReactNode } from 'react'
import { AuthLayout } from '../../components/layout/auth-layout.tsx'

interface CheckEmailProps {
  email: string
  /** What the mail holds and how long it is of use. */
  lead: ReactNode
  children: ReactNode
}

/** Says the same whether or not the address belongs to somebody, as the server does. */
export function CheckEmail({ email, lead, children }: CheckEmailProps) {
  return (
    <AuthLayout
      title="Check your mail"
      lead={
        <>
          We wrote to <span className="font-medium text-neutral-12">{email}</span>. {lead}
        </>
      }
    >
      <p role="status" className="text-13 text-neutral-11">
        Nothing there after a minute? Look in the junk folder, and check the address above.
      </p>
      <div className="flex flex-wrap gap-16">{children}</div>
    </AuthLayout>
  )
}

export const AUTH_LINK = 'text-accent-text underline underline-offset-4'
