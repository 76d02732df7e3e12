import { useLocation } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { shortMessage } from '../../../api/explain.ts'
import { Button } from '../../../components/button.tsx'
import { PasswordField } from '../../../components/forms/password-field.tsx'
import { AuthFailure, AuthLayout } from '../../../components/layout/auth-layout.tsx'
import { PublicView } from './public-view.tsx'
import { usePublicLink } from './use-public-link.ts'

/** The page of a public link: requests the password if the link has one, then shows the file or folder. */
export function PublicPage() {
  const token = useLocation({ select: ({ hash }) => hash })
  return <PublicLink key={token} token={token} />
}

function PublicLink({ token }: { token: string }) {
  const { state, open } = usePublicLink(token)
  const name = state.phase === 'open' ? state.link.entry.name : undefined
  useEffect(() => {
    if (name) document.title = `${name} · Atrium`
  }, [name])
  switch (state.phase) {
    case 'opening':
      return null
    case 'locked':
      return <PasswordForm problem={state.problem} onSubmit={open} />
    case 'gone':
      return (
        <AuthLayout
          title={state.isExpired ? 'This link has expired' : 'This link no longer works'}
          lead={
            state.isExpired
              ? 'Ask the sender for a new link.'
              : 'It was revoked, or the file was deleted. Ask the sender for a new link.'
          }
        />
      )
    case 'failed':
      return <AuthFailure error={state.error} onRetry={() => void open()} />
    case 'open':
      return <PublicView link={state.link} />
  }
}

interface PasswordFormProps {
  problem: Error | undefined
  onSubmit: (password: string) => Promise<void>
}

function PasswordForm({ problem, onSubmit }: PasswordFormProps) {
  const [password, setPassword] = useState('')
  const [busy, setBusy] = useState(false)
  return (
    <AuthLayout title="Password required" lead="Ask the person who sent you this link for the password.">
      <form
        className="flex flex-col gap-16"
        onSubmit={async (event) => {
          event.preventDefault()
          if (busy) return
          setBusy(true)
          await onSubmit(password)
          setBusy(false)
        }}
      >
        <PasswordField
          label="Password"
          autoComplete="off"
          autoFocus
          required
          maxLength={200}
          value={password}
          error={problem && shortMessage(problem)}
          onChange={(event) => setPassword(event.target.value)}
        />
        <Button look="primary" type="submit" busy={busy}>
          Open
        </Button>
      </form>
    </AuthLayout>
  )
}
