import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { door } from '../../api/client.ts'
import { Door } from '../../components/door.tsx'
import { nextPath } from './next-path.ts'
import { PasswordForm } from './password-form.tsx'

const route = getRouteApi('/sign-in')

export function SignInPage() {
  const { next } = route.useSearch()
  const setup = useQuery({ queryKey: ['setup'], queryFn: () => door.accounts.setupState(), staleTime: 0 })
  if (setup.data?.needed) return <SetupFirst />
  const path = nextPath(next)
  return (
    <Door title="Sign in" lead={path === '/' ? undefined : 'You are taken back to where you were.'}>
      {/* Each way of signing in is one block of this column, the most used first. */}
      <PasswordForm next={path} />
    </Door>
  )
}

function SetupFirst() {
  return (
    <Door
      title="This server has no owner yet"
      lead="Whoever runs it creates the first account with a one-time link."
    >
      <ol className="flex list-decimal flex-col gap-8 pl-16 text-neutral-11">
        <li>Look at the terminal or the log where Atrium was started.</li>
        <li>
          Open the setup link printed there. It ends in <code className="font-mono text-12">/setup#…</code>
        </li>
      </ol>
      <p className="text-13 text-neutral-11">No link in sight? Restart the server and it prints a new one.</p>
    </Door>
  )
}
