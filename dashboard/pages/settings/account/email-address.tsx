import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { explainShortly } from '../../../api/explain.ts'
import { sessionQuery, useSession } from '../../../api/session.ts'
import { Button } from '../../../components/button.tsx'
import { FormFailure } from '../../../components/failure.tsx'
import { Status } from '../../../components/status.tsx'
import { ChangeEmailDialog } from './change-email-dialog.tsx'

export function EmailAddress() {
  const { user } = useSession()
  const queries = useQueryClient()
  const [changing, setChanging] = useState(false)
  const [asked, setAsked] = useState<string>()
  const send = useMutation({
    mutationFn: () => api.security.sendVerification(),
    // Refused because another window has verified it: the session then says so.
    onError: () => queries.invalidateQueries({ queryKey: sessionQuery.queryKey }),
  })
  return (
    <div className="flex max-w-form flex-col items-start gap-12">
      <p className="flex w-full flex-wrap items-center justify-between gap-x-16 gap-y-4">
        <span className="min-w-0 break-words">{user.email}</span>
        <Status meaning={user.emailVerified ? 'good' : 'warning'}>
          {user.emailVerified ? 'Verified' : 'Not verified'}
        </Status>
      </p>
      {!user.emailVerified && (
        <>
          <FormFailure>{send.error ? explainShortly(send.error) : undefined}</FormFailure>
          {send.isSuccess && (
            <p role="status" className="text-13 text-neutral-11">
              The mail is on its way. Open the link in it, and this page knows.
            </p>
          )}
          <Button busy={send.isPending} onClick={() => send.mutate()}>
            {send.isSuccess ? 'Send it again' : 'Send verification'}
          </Button>
        </>
      )}
      {asked && (
        <p role="status" className="text-13 text-neutral-11">
          If nobody has {asked} yet, a link is on its way there. Your address stays until you open it in this
          browser.
        </p>
      )}
      <Button onClick={() => setChanging(true)}>Change address</Button>
      {changing && <ChangeEmailDialog onRequested={setAsked} onClose={() => setChanging(false)} />}
    </div>
  )
}
