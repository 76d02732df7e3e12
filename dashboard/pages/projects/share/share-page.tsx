import { Link, useLocation } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { shortMessage } from '../../../api/explain.ts'
import { Button, buttonClass } from '../../../components/button.tsx'
import { PasswordField } from '../../../components/forms/password-field.tsx'
import { AuthFailure, AuthLayout } from '../../../components/layout/auth-layout.tsx'
import { GuestView } from './guest-view.tsx'
import { type ShareState, useShare } from './use-share.ts'

/** The page of a share link: requests the password if the link has one, then shows the canvas. */
export function SharePage() {
  const token = useLocation({ select: ({ hash }) => hash })
  return <SharedProject key={token} token={token} />
}

function SharedProject({ token }: { token: string }) {
  const { state, open } = useShare(token)
  /** Changes after each reconnect, so that the canvas mounts again with the new guest token. */
  const [visit, setVisit] = useState(0)
  const reopen = async () => {
    await open()
    setVisit((previous) => previous + 1)
  }
  const name = state.phase === 'open' ? state.share.project.name : undefined
  useEffect(() => {
    if (name) document.title = `${name} · Atrium`
  }, [name])
  switch (state.phase) {
    case 'opening':
      return null
    case 'locked':
      return <PasswordForm state={state} onSubmit={open} />
    case 'gone':
      return <LinkGone />
    case 'failed':
      return <AuthFailure error={state.error} onRetry={() => void open()} />
    case 'open':
      return <GuestView key={visit} share={state.share} onEnded={() => void reopen()} />
  }
}

interface PasswordFormProps {
  state: Extract<ShareState, { phase: 'locked' }>
  onSubmit: (password: string) => Promise<void>
}

function PasswordForm({ state, onSubmit }: PasswordFormProps) {
  const [password, setPassword] = useState('')
  const [busy, setBusy] = useState(false)
  const wrong = state.isWrong ? 'Wrong password. Try again.' : undefined
  return (
    <AuthLayout title="Password required" lead="Ask the person who shared this project for the password.">
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
          error={state.error ? shortMessage(state.error) : wrong}
          onChange={(event) => setPassword(event.target.value)}
        />
        <Button look="primary" type="submit" busy={busy}>
          Open project
        </Button>
      </form>
    </AuthLayout>
  )
}

function LinkGone() {
  return (
    <AuthLayout
      title="This link no longer works"
      lead="It was revoked, replaced or has expired. Ask the sender for a new link."
    >
      <Link to="/" className={`self-start ${buttonClass()}`}>
        Go to Atrium
      </Link>
    </AuthLayout>
  )
}
