import { useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'
import { ApiFailure } from '../../../../client/client.ts'
import { t } from '../../../../contract/text.ts'
import { shortMessage } from '../../../api/explain.ts'
import { LinkPassword } from '../../../components/forms/link-password.tsx'
import { AuthFailure, AuthLayout } from '../../../components/layout/auth-layout.tsx'
import { PublicView } from './public-view.tsx'
import { usePublicLink } from './use-public-link.ts'

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
      return (
        <LinkPassword
          lead="Ask whoever sent you this link for the password."
          action="Open"
          error={state.problem && problemOf(state.problem)}
          onSubmit={open}
        />
      )
    case 'gone':
      return (
        <AuthLayout
          title={state.isExpired ? t`This link has expired` : t`This link no longer works`}
          lead={
            state.isExpired
              ? t`Ask the sender for a new link.`
              : t`It was revoked or the file was deleted. Ask the sender for a new link.`
          }
        />
      )
    case 'failed':
      return <AuthFailure error={state.error} onRetry={() => void open()} />
    case 'open':
      return <PublicView link={state.link} />
  }
}

const problemOf = (error: Error): string =>
  error instanceof ApiFailure && error.reason === 'wrong_password'
    ? t`Wrong password. Try again.`
    : shortMessage(error)
