import { useMutation } from '@tanstack/react-query'
import { publicApi } from '../api/client.ts'
import { shortMessage } from '../api/explain.ts'
import { useSession } from '../api/session.ts'
import { Button } from '../components/button.tsx'
import { FormFailure } from '../components/failure.tsx'

/** For accounts that sign in through a provider or a magic link and have no step-up method yet. */
export function NoStepUpMethod({ onClose }: { onClose: () => void }) {
  const { user } = useSession()
  const send = useMutation({ mutationFn: () => publicApi.signIn.requestPasswordReset({ email: user.email }) })
  return (
    <div className="flex flex-col gap-16">
      <p className="text-neutral-11">
        To continue, set a password first. Your account has no password, authenticator app or passkey. We send
        the link to {user.email}.
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
          {send.isSuccess ? 'Send again' : 'Send link'}
        </Button>
      </div>
    </div>
  )
}
