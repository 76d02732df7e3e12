import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { publicApi } from '../../../api/client.ts'
import { shortMessage } from '../../../api/explain.ts'
import { clearUserQueries } from '../../../api/query-client.ts'
import { sessionQuery } from '../../../api/session.ts'
import { Button } from '../../../components/button.tsx'
import { FormFailure } from '../../../components/failure.tsx'
import { AuthLayout } from '../../../components/layout/auth-layout.tsx'

interface SignInFirstProps {
  title: string
  /** The page of the link, opened again after sign-in. */
  page: string
  token: string
}

/** The link works only for the account it was sent to; a user of another account signs out first. */
export function SignInFirst({ title, page, token }: SignInFirstProps) {
  const session = useQuery(sessionQuery)
  const navigate = useNavigate()
  const proceed = useMutation({
    mutationFn: async () => {
      if (session.data) await publicApi.accounts.signOut()
      await navigate({ to: '/sign-in', search: { next: `${page}#${token}` } })
      clearUserQueries()
    },
  })
  return (
    <AuthLayout
      title={title}
      lead={
        session.data
          ? `You are signed in as ${session.data.user.email}, but this link is for another account.`
          : 'Sign in to the account that this link was sent to.'
      }
    >
      <FormFailure>{proceed.error ? shortMessage(proceed.error) : undefined}</FormFailure>
      <Button look="primary" className="self-start" busy={proceed.isPending} onClick={() => proceed.mutate()}>
        {session.data ? 'Sign out and continue' : 'Sign in'}
      </Button>
    </AuthLayout>
  )
}
