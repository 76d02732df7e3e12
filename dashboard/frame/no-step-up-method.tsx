import { useMutation } from '@tanstack/react-query'
import { publicApi } from '../api/client.ts'
import { explainShortly } from '../api/explain.ts'
import { useSession } from '../api/session.ts'
import { Button } from '../components/button.tsx'
import { FormFailure } from '../components/failure.tsx'

/** For accounts that came through a provider or a mailed link and have nothing yet to prove themselves with. */
export function NoStepUpMethod({ onClose }: { onClose: () => void }) {
  const { user } = useSession()
  const send = useMutation({ mutationFn: () => publicApi.signIn.requestPasswordReset({ email: user.email }) })
  return (
    <div className="flex flex-col gap-16">
      <p className="text-neutral-11">
        This needs a fresh proof, and your account has no password, authenticator app or passkey to give one.
        Set a password first; a link for that goes to {user.email}.
      </p>
      <FormFailure>{send.error ? explainShortly(send.error) : undefined}</FormFailure>
      {send.isSuccess && (
        <p role="status" className="text-13 text-good-text">
          The link is on its way. Come back here afterwards.
        </p>
      )}
      <div className="flex justify-end gap-8">
        <Button look="quiet" onClick={onClose}>
          Close
        </Button>
        <Button look="primary" data-autofocus busy={send.isPending} onClick={() => send.mutate()}>
          {send.isSuccess ? 'Send it again' : 'Mail me the link'}
        </Button>
      </div>
    </div>
  )
}
