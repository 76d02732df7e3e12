import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiFailure } from '../../../../client/client.ts'
import { t } from '../../../../contract/text.ts'
import { publicApi } from '../../../api/client.ts'
import { fieldMessage, shortMessage } from '../../../api/explain.ts'
import { sessionQuery } from '../../../api/session.ts'
import { Button, buttonClass } from '../../../components/button.tsx'
import { FormFailure } from '../../../components/failure.tsx'
import { TextField } from '../../../components/forms/field.tsx'
import { PasswordField } from '../../../components/forms/password-field.tsx'
import { AuthFailure, AuthLayout } from '../../../components/layout/auth-layout.tsx'
import { PASSWORD_LENGTH_MIN, PasswordHint } from '../sign-in/new-password-field.tsx'
import { setupQuery } from '../sign-in/sign-in-queries.ts'

export function SetupPage() {
  const [token] = useState(() => location.hash.slice(1))
  const setup = useQuery(setupQuery)

  if (setup.error && !setup.data) return <AuthFailure error={setup.error} onRetry={() => setup.refetch()} />
  if (!setup.data) return null
  if (!setup.data.needed) return <OwnerExists />
  if (!token) return <LinkIncomplete />
  return (
    <AuthLayout title="Set up Atrium" lead="Create this server’s owner account. The link works once.">
      <SetupForm token={token} />
    </AuthLayout>
  )
}

function OwnerExists() {
  return (
    <AuthLayout
      title="This server is already set up"
      lead="Sign in to continue, or ask the operator for access."
    >
      <Link to="/sign-in" className={`self-start ${buttonClass('primary')}`}>
        Sign in
      </Link>
    </AuthLayout>
  )
}

function LinkIncomplete() {
  return (
    <AuthLayout
      title="This setup link is incomplete"
      lead="The part after # is missing. Copy the whole link from the server log, or restart the server to get a new one."
    >
      <Link to="/sign-in" className="text-selection-text underline underline-offset-4">
        Go to sign in
      </Link>
    </AuthLayout>
  )
}

function SetupForm({ token }: { token: string }) {
  const [values, setValues] = useState({
    name: '',
    email: '',
    password: '',
    organizationName: '',
    workspaceName: t`General`,
  })
  const navigate = useNavigate()
  const queries = useQueryClient()
  const setup = useMutation({
    mutationFn: () => publicApi.accounts.setup({ token, ...values }),
    onSuccess: (session) => {
      queries.clear()
      queries.setQueryData(sessionQuery.queryKey, session)
      void navigate({ to: '/', replace: true })
    },
    // Another user may have used the link: the page then replaces this form.
    onError: (error) => isRejectedLink(error) && queries.invalidateQueries({ queryKey: ['setup'] }),
  })

  const field = (name: keyof typeof values) => ({
    name,
    required: true,
    value: values[name],
    error: fieldMessage(setup.error, name),
    onChange: (event: { target: { value: string } }) => setValues({ ...values, [name]: event.target.value }),
  })

  return (
    <form
      className="flex flex-col gap-16"
      onSubmit={(event) => {
        event.preventDefault()
        if (!setup.isPending) setup.mutate()
      }}
    >
      <FormFailure>{errorText(setup.error)}</FormFailure>
      <TextField label="Your name" autoComplete="name" autoFocus limit={120} {...field('name')} />
      <TextField label="Email" type="email" autoComplete="username" limit={254} {...field('email')} />
      <PasswordField
        label="Password"
        autoComplete="new-password"
        minLength={PASSWORD_LENGTH_MIN}
        limit={200}
        hint={<PasswordHint password={values.password} />}
        {...field('password')}
      />
      <hr className="border-neutral-6" />
      <TextField
        label="Organization"
        hint="Your company or team. It owns everything you create."
        autoComplete="organization"
        limit={120}
        {...field('organizationName')}
      />
      <TextField
        label="First workspace"
        hint="For one team or topic. You can add more later."
        limit={120}
        {...field('workspaceName')}
      />
      <Button look="primary" type="submit" busy={setup.isPending}>
        Create owner account
      </Button>
    </form>
  )
}

const isRejectedLink = (error: Error) =>
  error instanceof ApiFailure && (error.reason === 'setup_link' || error.code === 'CONFLICT')

function errorText(error: Error | null): string | undefined {
  if (!error) return undefined
  if (error instanceof ApiFailure) {
    if (error.reason === 'setup_link' || error.fieldMessage('body.token')) {
      return t`This setup link is invalid or has expired. Restart the server to get a new link.`
    }
    if (Array.isArray(error.details)) return undefined
  }
  return shortMessage(error)
}
