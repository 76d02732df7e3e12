import { useState } from 'react'
import { ApiFailure } from '../../../../client/client.ts'
import { t } from '../../../../contract/text.ts'
import { publicApi } from '../../../api/client.ts'
import { shortMessage } from '../../../api/explain.ts'
import { Button } from '../../../components/button.tsx'
import { CodeField } from '../../../components/forms/code-field.tsx'
import { TextField } from '../../../components/forms/field.tsx'
import { AuthLayout } from '../../../components/layout/auth-layout.tsx'
import { useSignIn } from './use-sign-in.ts'

interface SecondFactorProps {
  token: string
  next: string
  onStartOver: () => void
}

export function SecondFactor({ token: initialToken, next, onStartOver }: SecondFactorProps) {
  const [token, setToken] = useState(initialToken)
  const [method, setMethod] = useState<'totp' | 'recovery_code'>('totp')
  const [code, setCode] = useState('')
  const finish = useSignIn(
    (value: string) => publicApi.signIn.secondFactor({ ticket: token, method, code: value }),
    {
      next,
      onSecondFactor: setToken,
    },
  )
  const submit = (value: string) => {
    if (finish.isPending || !value.trim()) return
    finish.mutate(value, { onError: () => method === 'totp' && setCode('') })
  }
  const change = (to: typeof method) => {
    finish.reset()
    setCode('')
    setMethod(to)
  }
  if (isExpired(finish.error)) return <ExpiredSignIn onStartOver={onStartOver} />
  const error = finish.error ? shortMessage(finish.error) : undefined
  return (
    <AuthLayout
      title={method === 'totp' ? t`Enter your code` : t`Enter a recovery code`}
      lead={
        method === 'totp'
          ? t`Enter the 6-digit code from your authenticator app.`
          : t`Enter one of your saved recovery codes. Each works once.`
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
            {method === 'totp' ? t`Use a recovery code` : t`Use authenticator app`}
          </Button>
          <Button look="quiet" size="small" onClick={onStartOver}>
            Start over
          </Button>
        </div>
      </form>
    </AuthLayout>
  )
}

const isExpired = (error: unknown) => error instanceof ApiFailure && error.reason === 'ticket_spent'

function ExpiredSignIn({ onStartOver }: { onStartOver: () => void }) {
  return (
    <AuthLayout
      title="This sign-in has expired"
      lead="Enter the code within 5 minutes. Start over to try again."
    >
      <Button look="primary" className="self-start" autoFocus onClick={onStartOver}>
        Start over
      </Button>
    </AuthLayout>
  )
}
