import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiFailure } from '../../client/client.ts'
import type { StepUpMethod } from '../../contract/accounts/accounts.ts'
import { t } from '../../contract/text.ts'
import { api, publicApi } from '../api/client.ts'
import { shortMessage } from '../api/explain.ts'
import { passkeyErrorMessage, signWithPasskey } from '../api/passkey.ts'
import { useSession } from '../api/session.ts'
import { useStepUpRequest } from '../api/step-up.ts'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialogs/dialog.tsx'
import { FormFailure } from '../components/failure.tsx'
import { CodeField } from '../components/forms/code-field.tsx'
import { PasswordField } from '../components/forms/password-field.tsx'
import { localStore } from '../state/store.ts'

const KEY = 'atrium.step-up'

/** Waiting requests continue once the user has confirmed their identity. */
export function StepUpDialog() {
  const request = useStepUpRequest()
  if (!request) return null
  const { methods, answer } = request
  return (
    <Dialog size="small" title="Confirm it’s you" onClose={() => answer(false)}>
      {methods.length > 0 ? (
        <StepUpForm methods={methods} answer={answer} />
      ) : (
        <NoStepUpMethod onClose={() => answer(false)} />
      )}
    </Dialog>
  )
}

interface StepUpFormProps {
  methods: StepUpMethod[]
  answer: (confirmed: boolean) => void
}

function StepUpForm({ methods, answer }: StepUpFormProps) {
  const { user } = useSession()
  const [method, setMethod] = useState(() => lastUsed(methods))
  const [secret, setSecret] = useState('')

  const confirm = useMutation({
    mutationFn: async (value: string) => {
      if (method === 'password') return api.accounts.stepUp({ method, password: value })
      if (method === 'totp') return api.accounts.stepUp({ method, code: value })
      return api.accounts.stepUp({ method, ...(await signWithPasskey(await api.passkeys.stepUpOptions())) })
    },
    onSuccess: () => {
      localStore.write(KEY, method)
      answer(true)
    },
    onError: (failure) => {
      // The session has ended: the client navigates to sign-in, and waiting requests fail.
      if (failure instanceof ApiFailure && failure.code === 'UNAUTHORIZED') answer(false)
      if (method === 'totp') setSecret('')
    },
  })
  const submit = (value: string) => {
    if (!confirm.isPending) confirm.mutate(value)
  }
  const changeMethod = (next: StepUpMethod) => {
    confirm.reset()
    setSecret('')
    setMethod(next)
  }
  const error = confirm.error ? messageFor(confirm.error, method) : undefined

  return (
    <form
      className="flex flex-col gap-16"
      onSubmit={(event) => {
        event.preventDefault()
        submit(secret)
      }}
    >
      <p className="text-neutral-11">{METHODS[method].lead} You won’t be asked again for 10 minutes.</p>
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
          onComplete={submit}
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
          {method === 'passkey' ? t`Use a passkey` : t`Confirm`}
        </Button>
      </div>
      {methods.length > 1 && (
        <div className="flex flex-wrap items-center gap-4 border-neutral-6 border-t pt-12 text-12 text-neutral-11">
          Or
          {methods
            .filter((other) => other !== method)
            .map((other) => (
              <Button key={other} look="quiet" size="small" onClick={() => changeMethod(other)}>
                {METHODS[other].instead}
              </Button>
            ))}
        </div>
      )}
    </form>
  )
}

const METHODS: Record<StepUpMethod, { lead: string; instead: string; wrong: string }> = {
  password: {
    lead: t`Enter your password to continue.`,
    instead: t`Use your password`,
    wrong: t`Wrong password. Try again.`,
  },
  totp: {
    lead: t`Enter the code from your authenticator app to continue.`,
    instead: t`Use a code`,
    wrong: t`Wrong or already used code. Enter the next one.`,
  },
  passkey: {
    lead: t`Use a passkey to continue.`,
    instead: t`Use a passkey`,
    wrong: t`The passkey didn’t match. Try again or use another method.`,
  },
}

const lastUsed = (methods: StepUpMethod[]) =>
  methods.find((method) => method === localStore.read(KEY)) ?? methods[0]!

function messageFor(error: Error, method: StepUpMethod): string {
  if (error instanceof ApiFailure && error.reason === 'wrong_proof') return METHODS[method].wrong
  return passkeyErrorMessage(error) ?? shortMessage(error)
}

/** For accounts with provider or magic link sign-in and no step-up method yet. */
function NoStepUpMethod({ onClose }: { onClose: () => void }) {
  const { user } = useSession()
  const send = useMutation({ mutationFn: () => publicApi.signIn.requestPasswordReset({ email: user.email }) })
  return (
    <div className="flex flex-col gap-16">
      <p className="text-neutral-11">
        To continue, set a password. Your account has no password, authenticator app or passkey yet. We’ll
        send a link to {user.email}.
      </p>
      <FormFailure>{send.error ? shortMessage(send.error) : undefined}</FormFailure>
      {send.isSuccess && (
        <p role="status" className="text-13 text-good-text">
          Link sent. Set your password, then try again.
        </p>
      )}
      <div className="flex justify-end gap-8">
        <Button look="quiet" onClick={onClose}>
          Close
        </Button>
        <Button look="primary" data-autofocus busy={send.isPending} onClick={() => send.mutate()}>
          {send.isSuccess ? t`Send again` : t`Send link`}
        </Button>
      </div>
    </div>
  )
}
