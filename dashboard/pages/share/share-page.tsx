import { getRouteApi, Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { explainShortly } from '../../api/explain.ts'
import { Button, buttonClass } from '../../components/button.tsx'
import { PasswordField } from '../../components/forms/password-field.tsx'
import { AuthFailure } from '../../components/layout/auth-failure.tsx'
import { AuthLayout } from '../../components/layout/auth-layout.tsx'
import { GuestRoom } from './guest-room.tsx'
import { type ShareState, useShare } from './use-share.ts'

const route = getRouteApi('/s/$token')

/** Where a share link leads: through its password, if it has one, to the canvas. No account is needed. */
export function SharePage() {
  const { token } = route.useParams()
  return <SharedProject key={token} token={token} />
}

function SharedProject({ token }: { token: string }) {
  const { state, ask } = useShare(token)
  /** Counts how often somebody was let go and came in anew: each time the canvas is opened afresh. */
  const [visit, setVisit] = useState(0)
  const comeAgain = async () => {
    await ask()
    setVisit((before) => before + 1)
  }
  const name = state.phase === 'open' ? state.share.project.name : undefined
  useEffect(() => {
    if (name) document.title = `${name} · Atrium`
  }, [name])
  switch (state.phase) {
    case 'asking':
      return null
    case 'locked':
      return <Locked state={state} onAnswer={ask} />
    case 'gone':
      return <Gone />
    case 'failed':
      return <AuthFailure error={state.error} onRetry={() => void ask()} />
    case 'open':
      return <GuestRoom key={visit} share={state.share} onEnded={() => void comeAgain()} />
  }
}

interface LockedProps {
  state: Extract<ShareState, { phase: 'locked' }>
  onAnswer: (password: string) => Promise<void>
}

function Locked({ state, onAnswer }: LockedProps) {
  const [password, setPassword] = useState('')
  const [busy, setBusy] = useState(false)
  const wrong = state.isWrong ? 'The password is wrong. Check it and try again.' : undefined
  return (
    <AuthLayout
      title="This project is shared with a password"
      lead="Whoever sent you the link knows it. It opens this project and nothing else."
    >
      <form
        className="flex flex-col gap-16"
        onSubmit={async (event) => {
          event.preventDefault()
          if (busy) return
          setBusy(true)
          await onAnswer(password)
          setBusy(false)
        }}
      >
        <PasswordField
          label="Password of the link"
          autoComplete="off"
          autoFocus
          required
          maxLength={200}
          value={password}
          error={state.error ? explainShortly(state.error) : wrong}
          onChange={(event) => setPassword(event.target.value)}
        />
        <Button look="primary" type="submit" busy={busy}>
          Open the project
        </Button>
      </form>
    </AuthLayout>
  )
}

function Gone() {
  return (
    <AuthLayout
      title="This link does not work any more"
      lead="It was revoked or replaced by a newer one, or its time is over. Ask whoever sent it to you for a new one."
    >
      <Link to="/" className={`self-start ${buttonClass()}`}>
        Go to Atrium
      </Link>
    </AuthLayout>
  )
}
