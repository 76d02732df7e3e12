import { Link, useLocation } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { shortMessage } from '../../../api/explain.ts'
import { buttonClass } from '../../../components/button.tsx'
import { LinkPassword } from '../../../components/forms/link-password.tsx'
import { AuthFailure, AuthLayout } from '../../../components/layout/auth-layout.tsx'
import { GuestView } from './guest-view.tsx'
import { useShare } from './use-share.ts'

export function SharePage() {
  const token = useLocation({ select: ({ hash }) => hash })
  return <SharedProject key={token} token={token} />
}

function SharedProject({ token }: { token: string }) {
  const { state, open } = useShare(token)
  /** Changes after each reconnect, so the canvas remounts with the new guest token. */
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
      return (
        <LinkPassword
          lead="Ask whoever shared this project for the password."
          action="Open project"
          error={
            state.error
              ? shortMessage(state.error)
              : state.isWrong
                ? t`Wrong password. Try again.`
                : undefined
          }
          onSubmit={open}
        />
      )
    case 'gone':
      return <LinkGone />
    case 'failed':
      return <AuthFailure error={state.error} onRetry={() => void open()} />
    case 'open':
      return <GuestView key={visit} share={state.share} onEnded={() => void reopen()} />
  }
}

function LinkGone() {
  return (
    <AuthLayout
      title="This link no longer works"
      lead="It was revoked or replaced, or it expired. Ask the sender for a new link."
    >
      <Link to="/" className={`self-start ${buttonClass()}`}>
        Go to Atrium
      </Link>
    </AuthLayout>
  )
}
