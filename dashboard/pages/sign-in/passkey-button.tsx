import { Fingerprint } from 'lucide-react'
import { useEffect, useEffectEvent } from 'react'
import { publicApi } from '../../api/client.ts'
import { explainShortly } from '../../api/explain.ts'
import { hasUsedPasskey, passkeyErrorMessage, passkeysSupported, signWithPasskey } from '../../api/passkey.ts'
import { Button } from '../../components/button.tsx'
import { FormFailure } from '../../components/failure.tsx'
import { useSignIn } from './use-sign-in.ts'

interface PasskeyButtonProps {
  next: string
  onSecondFactor: (ticket: string) => void
}

export function PasskeyButton({ next, onSecondFactor }: PasskeyButtonProps) {
  const signIn = useSignIn(
    async (autofill: boolean) =>
      publicApi.passkeys.signIn(await signWithPasskey(await publicApi.passkeys.signInOptions(), autofill)),
    { next, onSecondFactor },
  )
  const offer = useEffectEvent(() => signIn.mutate(true))
  // The email field then lists the passkey beside remembered addresses; asked for only where one was used before.
  useEffect(() => {
    if (hasUsedPasskey()) offer()
  }, [])
  if (!passkeysSupported()) return null
  const waiting = signIn.variables === true
  return (
    <>
      <FormFailure>{signIn.error ? errorText(signIn.error, waiting) : undefined}</FormFailure>
      <Button busy={signIn.isPending && !waiting} onClick={() => signIn.mutate(false)}>
        <Fingerprint aria-hidden className="icon" />
        Sign in with a passkey
      </Button>
    </>
  )
}

/** An offer that nobody took is no failure. */
function errorText(error: Error, waiting: boolean): string | undefined {
  const refusal = passkeyErrorMessage(error)
  if (waiting && (refusal || error.message.includes('autofill'))) return undefined
  return refusal ?? explainShortly(error)
}
