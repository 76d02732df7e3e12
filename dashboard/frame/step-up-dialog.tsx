import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiFailure } from '../../client/client.ts'
import type { StepUpMethod } from '../../contract/accounts/accounts.ts'
import { api } from '../api/client.ts'
import { explainShortly } from '../api/explain.ts'
import { passkeyErrorMessage, signWithPasskey } from '../api/passkey.ts'
import { useSession } from '../api/session.ts'
import { useStepUpRequest } from '../api/step-up.ts'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialogs/dialog.tsx'
import { FormFailure } from '../components/failure.tsx'
import { CodeField } from '../components/forms/code-field.tsx'
import { PasswordField } from '../components/forms/password-field.tsx'
import { localStore } from '../state/local-storage.ts'
import { NoStepUpMethod } from './no-step-up-method.tsx'

const KEY = 'atrium.step-up'

/** Asks the person to prove again who they are, over whatever was happening; the waiting calls then go on by themselves. */
export function StepUpDialog() {
  const question = useStepUpRequest()
  if (!question) return null
  const { methods, answer } = question
  return (
    <Dialog size="small" title="Confirm it is you" onClose={() => answer(false)}>
      {methods.length > 0 ? (
        <Proof methods={methods} answer={answer} />
      ) : (
        <NoStepUpMethod onClose={() => answer(false)} />
      )}
    </Dialog>
  )
}

interface ProofProps {
  methods: StepUpMethod[]
  answer: (confirmed: boolean) => void
}

function Proof({ methods, answer }: ProofProps) {
  const { user } = useSession()
  const [method, setMethod] = useState(() => lastUsed(methods))
  const [secret, setSecret] = useState('')

  const confirm = useMutation({
    mutationFn: async (given: string) => {
      if (method === 'password') return api.accounts.stepUp({ method, password: given })
      if (method === 'totp') return api.accounts.stepUp({ method, code: given })
      return api.accounts.stepUp({ method, ...(await signWithPasskey(await api.passkeys.stepUpOptions())) })
    },
    onSuccess: () => {
      localStore.write(KEY, method)
      answer(true)
    },
    onError: (failure) => {
      // The session itself is over: the client has left for sign-in, and the waiting calls are given up.
      if (failure instanceof ApiFailure && failure.code === 'UNAUTHORIZED') answer(false)
      if (method === 'totp') setSecret('')
    },
  })
  const prove = (given: string) => {
    if (!confirm.isPending) confirm.mutate(given)
  }
  const change = (next: StepUpMethod) => {
    confirm.reset()
    setSecret('')
    setMethod(next)
  }
  const error = confirm.error ? whyNot(confirm.error, method) : undefined

  return (
    <form
      className="flex flex-col gap-16"
      onSubmit={(event) => {
        event.preventDefault()
        prove(secret)
      }}
    >
      <p className="text-neutral-11">
        {WAYS[method].lead} It then goes on by itself; you are not asked again for ten minutes.
      </p>
      {method === 'password' && (
        <>
          <input type="hidden" autoComplete="username" value={user.email} />
          <PasswordField
            label="Password"
            autoComplete="current-password"
            required
            autoFocus
            data-autofocus
            value={secret}
            error={error}
            onChange={(event) => setSecret(event.target.value)}
          />
        </>
      )}
      {method === 'totp' && (
        <CodeField
          label="Code"
          autoFocus
          data-autofocus
          value={secret}
          error={error}
          onChange={setSecret}
          onComplete={prove}
        />
      )}
      {method === 'passkey' && <FormFailure>{error}</FormFailure>}
      <div className="flex justify-end gap-8">
        <Button look="quiet" onClick={() => answer(false)}>
          Cancel
        </Button>
        <Button
          look="primary"
          type="submit"
          busy={confirm.isPending}
          data-autofocus={method === 'passkey' || undefined}
        >
          {method === 'passkey' ? 'Use a passkey' : 'Confirm'}
        </Button>
      </div>
      {methods.length > 1 && (
        <div className="flex flex-wrap items-center gap-4 border-neutral-6 border-t pt-12 text-12 text-neutral-11">
          Or
          {methods
            .filter((other) => other !== method)
            .map((other) => (
              <Button key={other} look="quiet" size="small" onClick={() => change(other)}>
                {WAYS[other].instead}
              </Button>
            ))}
        </div>
      )}
    </form>
  )
}

const WAYS: Record<StepUpMethod, { lead: string; instead: string; wrong: string }> = {
  password: {
    lead: 'This needs a fresh proof: enter your password.',
    instead: 'Use your password',
    wrong: 'The password is wrong. Check it and try again.',
  },
  totp: {
    lead: 'This needs a fresh proof: enter the code your authenticator app shows.',
    instead: 'Use a code',
    wrong: 'The code is wrong or was used before. Wait for the next one.',
  },
  passkey: {
    lead: 'This needs a fresh proof: use one of your passkeys.',
    instead: 'Use a passkey',
    wrong: 'The passkey did not match. Try again, or choose another way.',
  },
}

/** The way that worked last time, if it is among those offered now. */
const lastUsed = (methods: StepUpMethod[]) =>
  methods.find((method) => method === localStore.read(KEY)) ?? methods[0]!

function whyNot(error: Error, method: StepUpMethod): string {
  if (error instanceof ApiFailure && error.reason === 'wrong_proof') return WAYS[method].wrong
  return passkeyErrorMessage(error) ?? explainShortly(error)
}
