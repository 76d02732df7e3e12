import { Fingerprint } from 'lucide-react'
import { useEffect, useEffectEvent } from 'react'
import { publicApi } from '../../../api/client.ts'
import { shortMessage } from '../../../api/explain.ts'
import {
  hasUsedPasskey,
  passkeyErrorMessage,
  passkeyObstacle,
  signWithPasskey,
} from '../../../api/passkey.ts'
import { Button } from '../../../components/button.tsx'
import { FormFailure } from '../../../components/failure.tsx'
import { useSignIn } from './use-sign-in.ts'

interface PasskeyButtonProps {
  next: string
  onSecondFactor: (token: string) => void
}

export function PasskeyButton({ next, onSecondFactor }: PasskeyButtonProps) {
  const signIn = useSignIn(
    async (autofill: boolean) =>
      publicApi.passkeys.signIn(await signWithPasskey(await publicApi.passkeys.signInOptions(), autofill)),
    { next, onSecondFactor },
  )
  const suggestPasskey = useEffectEvent(() => signIn.mutate(true))
  // The browser suggests the passkey in the email field, if this browser has used one.
  useEffect(() => {
    if (hasUsedPasskey()) suggestPasskey()
  }, [])
  const obstacle = passkeyObstacle()
  const isAutofill = signIn.variables === true
  return (
    <>
      <FormFailure>{signIn.error ? errorText(signIn.error, isAutofill) : undefined}</FormFailure>
      <Button
        busy={signIn.isPending && !isAutofill}
        disabled={obstacle !== null}
        aria-describedby={obstacle ? 'passkey-obstacle' : undefined}
        onClick={() => signIn.mutate(false)}
      >
        <Fingerprint aria-hidden className="icon" />
        Sign in with a passkey
      </Button>
      {obstacle && (
        <p id="passkey-obstacle" className="text-12 text-neutral-11">
          {obstacle}
        </p>
      )}
    </>
  )
}

/** A dismissed autofill suggestion isn't an error. */
function errorText(error: Error, isAutofill: boolean): string | undefined {
  const message = passkeyErrorMessage(error)
  if (isAutofill && (message || error.message.includes('autofill'))) return undefined
  return message ?? shortMessage(error)
}
