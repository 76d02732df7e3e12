import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { publicApi } from '../../api/client.ts'
import { explainShortly } from '../../api/explain.ts'
import { clearUserQueries } from '../../api/query-client.ts'
import { sessionQuery } from '../../api/session.ts'
import { Button } from '../../components/button.tsx'
import { FormFailure } from '../../components/failure.tsx'
import { AuthLayout } from '../../components/layout/auth-layout.tsx'

interface SignInFirstProps {
  title: string
  /** Where the link leads, to be opened again afterwards. */
  page: string
  token: string
}

/** Such a link works for the account it was mailed for; whoever is signed in as somebody else signs out first. */
export function SignInFirst({ title, page, token }: SignInFirstProps) {
  const session = useQuery(sessionQuery)
  const navigate = useNavigate()
  const goOn = useMutation({
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
          ? `You are signed in as ${session.data.user.email}, and this link is for another account. It stays good meanwhile.`
          : 'The link works for the account it was mailed for, and stays good meanwhile.'
      }
    >
      <FormFailure>{goOn.error ? explainShortly(goOn.error) : undefined}</FormFailure>
      <Button look="primary" className="self-start" busy={goOn.isPending} onClick={() => goOn.mutate()}>
        {session.data ? 'Sign out and continue' : 'Sign in'}
      </Button>
    </AuthLayout>
  )
}
