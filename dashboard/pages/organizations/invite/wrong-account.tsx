import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { publicApi } from '../../../api/client.ts'
import { shortMessage } from '../../../api/explain.ts'
import { sessionQuery } from '../../../api/session.ts'
import { Button, buttonClass } from '../../../components/button.tsx'
import { FormFailure } from '../../../components/failure.tsx'

interface WrongAccountProps {
  signedInAs: string
  invitedEmail: string
}

/** An invitation is for one email address and cannot be accepted with another account. */
export function WrongAccount({ signedInAs, invitedEmail }: WrongAccountProps) {
  const queries = useQueryClient()
  const signOut = useMutation({
    mutationFn: () => publicApi.accounts.signOut(),
    onSuccess: () => queries.setQueryData(sessionQuery.queryKey, null),
  })
  return (
    <div className="flex flex-col gap-16">
      <p
        role="alert"
        className="rounded-control border border-warning-line bg-warning-wash px-12 py-8 text-13 text-warning-text"
      >
        You are signed in as {signedInAs}. This invitation is for {invitedEmail}. Sign out to accept it.
      </p>
      <FormFailure>{signOut.error ? shortMessage(signOut.error) : undefined}</FormFailure>
      <div className="flex gap-8">
        <Button look="primary" busy={signOut.isPending} onClick={() => signOut.mutate()}>
          Sign out and continue
        </Button>
        <Link to="/" className={buttonClass('quiet')}>
          Stay signed in
        </Link>
      </div>
    </div>
  )
}
