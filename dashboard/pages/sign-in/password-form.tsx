import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiFailure } from '../../../client/client.ts'
import { door } from '../../api/client.ts'
import { explainShortly } from '../../api/explain.ts'
import { sessionQuery } from '../../api/session.ts'
import { Button } from '../../components/button.tsx'
import { FormFailure } from '../../components/failure.tsx'
import { TextField } from '../../components/field.tsx'
import { PasswordField } from '../../components/password-field.tsx'

export function PasswordForm({ next }: { next: string }) {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const router = useRouter()
  const queries = useQueryClient()

  const signIn = useMutation({
    mutationFn: () => door.accounts.signIn({ email, password }),
    onSuccess: (session) => {
      queries.clear()
      queries.setQueryData(sessionQuery.queryKey, session)
      router.history.push(next)
    },
  })

  return (
    <form
      className="flex flex-col gap-16"
      onSubmit={(event) => {
        event.preventDefault()
        if (!signIn.isPending) signIn.mutate()
      }}
    >
      <FormFailure>{signIn.error ? whyNot(signIn.error) : undefined}</FormFailure>
      <TextField
        label="Email"
        type="email"
        autoComplete="username"
        autoFocus
        required
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
      <PasswordField
        label="Password"
        autoComplete="current-password"
        required
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      <Button look="primary" type="submit" busy={signIn.isPending}>
        Sign in
      </Button>
    </form>
  )
}

function whyNot(error: Error): string {
  if (error instanceof ApiFailure && error.code === 'UNAUTHORIZED') {
    return 'Email and password do not match. Check both and try again.'
  }
  return explainShortly(error)
}
