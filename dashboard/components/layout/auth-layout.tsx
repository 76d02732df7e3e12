import type { ReactNode } from 'react'
import { explain } from '../../api/explain.ts'
import { Button } from '../button.tsx'
import { Copy } from '../copy.tsx'
import { Logo } from './logo.tsx'

interface AuthLayoutProps {
  title: string
  lead?: ReactNode
  children?: ReactNode
}

export function AuthLayout({ title, lead, children }: AuthLayoutProps) {
  return (
    <main className="flex min-h-dvh justify-center bg-app px-16 py-48">
      <div className="flex w-full max-w-form flex-col gap-24 md:pt-48">
        <div className="flex items-center gap-8">
          <Logo size={32} />
          <span className="font-strong text-16">Atrium</span>
        </div>
        <header className="flex flex-col gap-4">
          <h1 className="font-strong text-20">{title}</h1>
          {lead && <p className="text-neutral-11">{lead}</p>}
        </header>
        {children}
      </div>
    </main>
  )
}

export function AuthFailure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { title, meaning, requestId } = explain(error)
  return (
    <AuthLayout title={title} lead={meaning}>
      {requestId && (
        <p className="flex items-center gap-8 text-12 text-neutral-11">
          Request ID <code className="font-mono text-neutral-12">{requestId}</code>
          <Copy value={requestId} what="request ID" />
        </p>
      )}
      <Button className="self-start" onClick={onRetry}>
        Try again
      </Button>
    </AuthLayout>
  )
}
