import { useState } from 'react'
import { ApiFailure } from '../../../client/client.ts'
import { publicApi } from '../../api/client.ts'
import { explainShortly } from '../../api/explain.ts'
import { Button } from '../../components/button.tsx'
import { CodeField } from '../../components/forms/code-field.tsx'
import { TextField } from '../../components/forms/field.tsx'
import { AuthLayout } from '../../components/layout/auth-layout.tsx'
import { useSignIn } from './use-sign-in.ts'

interface SecondFactorProps {
  ticket: string
  next: string
  onStartOver: () => void
}

/** The second half of a sign-in: a code of the authenticator app, or one of the codes kept for when it is lost. */
export function SecondFactor({ ticket: first, next, onStartOver }: SecondFactorProps) {
  const [ticket, setTicket] = useState(first)
  const [method, setMethod] = useState<'totp' | 'recovery_code'>('totp')
  const [code, setCode] = useState('')
  const finish = useSignIn(
    (given: string) => publicApi.signIn.secondFactor({ ticket, method, code: given }),
    {
      next,
      onSecondFactor: setTicket,
    },
  )
  const submit = (given: string) => {
    if (finish.isPending || !given.trim()) return
    finish.mutate(given, { onError: () => method === 'totp' && setCode('') })
  }
  const change = (to: typeof method) => {
    finish.reset()
    setCode('')
    setMethod(to)
  }
  if (isOver(finish.error)) return <TookTooLong onStartOver={onStartOver} />
  const error = finish.error ? explainShortly(finish.error) : undefined
  return (
    <AuthLayout
      title={method === 'totp' ? 'Enter your code' : 'Enter a recovery code'}
      lead={
        method === 'totp'
          ? 'Your authenticator app shows six digits for Atrium, new ones every half minute.'
          : 'One of those you stored when you set up the authenticator app. Each works once.'
      }
    >
      <form
        className="flex flex-col gap-16"
        onSubmit={(event) => {
          event.preventDefault()
          submit(code)
        }}
      >
        {method === 'totp' ? (
          <CodeField
            label="Code"
            autoFocus
            value={code}
            error={error}
            onChange={setCode}
            onComplete={submit}
          />
        ) : (
          <TextField
            key="recovery"
            label="Recovery code"
            autoFocus
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            required
            maxLength={40}
            value={code}
            error={error}
            onChange={(event) => setCode(event.target.value)}
          />
        )}
        <Button look="primary" type="submit" busy={finish.isPending}>
          Continue
        </Button>
        <div className="flex flex-wrap justify-between gap-8">
          <Button
            look="quiet"
            size="small"
            onClick={() => change(method === 'totp' ? 'recovery_code' : 'totp')}
          >
            {method === 'totp' ? 'Use a recovery code' : 'Use the authenticator app'}
          </Button>
          <Button look="quiet" size="small" onClick={onStartOver}>
            Start over
          </Button>
        </div>
      </form>
    </AuthLayout>
  )
}

const isOver = (error: unknown) => error instanceof ApiFailure && error.reason === 'ticket_spent'

function TookTooLong({ onStartOver }: { onStartOver: () => void }) {
  return (
    <AuthLayout
      title="This sign-in took too long"
      lead="The code has to follow within five minutes, and after a few tries. Begin again."
    >
      <Button look="primary" className="self-start" autoFocus onClick={onStartOver}>
        Start over
      </Button>
    </AuthLayout>
  )
}
