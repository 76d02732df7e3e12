import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ERASURE_DAYS } from '../../../../contract/organizations/lifecycle-options.ts'
import { t } from '../../../../contract/text.ts'
import { type Erasure, organizationApi } from '../../../api/organizations.ts'
import { sessionQuery } from '../../../api/session.ts'
import { Button } from '../../../components/button.tsx'
import { ConfirmDialog } from '../../../components/dialogs/confirm-dialog.tsx'
import { withNames } from '../../../components/name.tsx'
import { Section } from '../../../components/section.tsx'
import { Time } from '../../../components/time.tsx'
import { toast, toastFailure } from '../../../components/toast.tsx'

interface ErasureSectionProps {
  organization: { id: string; name: string }
  /** Scheduled or running. */
  erasure: Erasure | null
  /** Operators act on any organization, owners on their own. */
  byOperator?: boolean
}

export function ErasureSection({ organization, erasure, byOperator = false }: ErasureSectionProps) {
  const [isErasing, setErasing] = useState(false)
  const { id, name } = organization
  const cancel = useCancelErasure(byOperator ? id : null, name)
  return (
    <Section
      title="Erase"
      lead={t`Closes the organization immediately and deletes everything in it after ${ERASURE_DAYS} days. Until then, an owner or operator can cancel.`}
    >
      {erasure ? (
        <>
          <p className="text-13">
            {erasure.status === 'running' ? (
              t`Everything in this organization is being deleted.`
            ) : (
              <>
                Everything in this organization will be deleted <Time at={erasure.eraseAfter} isExpected />.
              </>
            )}
          </p>
          {erasure.status === 'scheduled' && (
            <div>
              <Button look="primary" busy={cancel.isPending} onClick={() => cancel.mutate()}>
                Cancel erasure
              </Button>
            </div>
          )}
        </>
      ) : (
        <div>
          <Button look="danger" onClick={() => setErasing(true)}>
            Erase organization
          </Button>
        </div>
      )}
      {isErasing && (
        <EraseDialog organization={organization} byOperator={byOperator} onClose={() => setErasing(false)} />
      )}
    </Section>
  )
}

/** `id` is null for an owner, who acts on the current organization. */
export function useCancelErasure(id: string | null, name: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () =>
      id === null ? organizationApi.erasures.cancel() : organizationApi.erasures.cancelOf({ id }),
    onSuccess: async () => {
      await queries.invalidateQueries(id === null ? undefined : { queryKey: ['organizations'] })
      toast(withNames`${name} won’t be erased`)
    },
    onError: toastFailure,
  })
}

interface EraseDialogProps {
  organization: { id: string; name: string }
  byOperator: boolean
  onClose: () => void
}

function EraseDialog({ organization: { id, name }, byOperator, onClose }: EraseDialogProps) {
  return (
    <ConfirmDialog
      title={withNames`Erase ${name}`}
      phrase={name}
      action="Erase organization"
      mutate={() =>
        byOperator
          ? organizationApi.erasures.requestOf({ id, name })
          : organizationApi.erasures.request({ name })
      }
      invalidates={byOperator ? [['organizations']] : [sessionQuery.queryKey]}
      success={withNames`${name} is closed and will be erased`}
      onClose={onClose}
    >
      <p>
        The organization closes immediately: members lose access, runs wait and links stop working. After{' '}
        {ERASURE_DAYS} days, its projects, files, conversations, agents, keys, webhooks, phone numbers and
        audit log are deleted, along with accounts that belong to no other organization.
      </p>
      <p>To keep a copy, export the organization first.</p>
    </ConfirmDialog>
  )
}
