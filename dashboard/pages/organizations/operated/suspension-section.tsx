import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { failureMessage } from '../../../api/explain.ts'
import {
  type OrganizationDetails,
  operatedOrganizationQuery,
  organizationApi,
} from '../../../api/organizations.ts'
import { Button } from '../../../components/button.tsx'
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx'
import { TextArea } from '../../../components/forms/field.tsx'
import { Name, withNames } from '../../../components/name.tsx'
import { Section } from '../../../components/section.tsx'
import { Time } from '../../../components/time.tsx'
import { toast, toastFailure } from '../../../components/toast.tsx'

interface SuspensionProps {
  organization: OrganizationDetails
}

export function SuspensionSection({ organization }: SuspensionProps) {
  const [isSuspending, setSuspending] = useState(false)
  const { id, name, suspension } = organization
  const queries = useQueryClient()
  const resume = useMutation({
    mutationFn: () => organizationApi.operatedOrganizations.resume({ id }),
    onSuccess: (saved) => {
      queries.setQueryData(operatedOrganizationQuery(id).queryKey, saved)
      toast(withNames`Resumed ${name}`)
    },
    onError: toastFailure,
  })
  return (
    <Section
      title="Suspension"
      lead="While suspended, members, API keys, connected apps and share links have no access, and runs, schedules and deliveries wait. No data is deleted."
    >
      {suspension ? (
        <>
          <p className="text-13">
            Suspended <Time at={suspension.since} />
            {suspension.by && (
              <>
                {' '}
                by <Name>{suspension.by.name}</Name>
              </>
            )}
            : <q className="wrap-anywhere">{suspension.reason}</q>
          </p>
          <div className="flex flex-wrap gap-8">
            <Button look="primary" busy={resume.isPending} onClick={() => resume.mutate()}>
              Resume
            </Button>
            <Button onClick={() => setSuspending(true)}>Change reason</Button>
          </div>
        </>
      ) : (
        <div>
          <Button onClick={() => setSuspending(true)}>Suspend organization</Button>
        </div>
      )}
      {isSuspending && <SuspendDialog organization={organization} onClose={() => setSuspending(false)} />}
    </Section>
  )
}

function SuspendDialog({ organization, onClose }: SuspensionProps & { onClose: () => void }) {
  const { id, name, suspension } = organization
  const [reason, setReason] = useState(suspension?.reason ?? '')
  const queries = useQueryClient()
  const suspend = useMutation({
    mutationFn: () => organizationApi.operatedOrganizations.suspend({ id, reason: reason.trim() }),
    onSuccess: (saved) => {
      queries.setQueryData(operatedOrganizationQuery(id).queryKey, saved)
      toast(suspension ? t`Reason saved` : withNames`Suspended ${name}`)
      onClose()
    },
  })
  return (
    <FormDialog
      title={suspension ? t`Change reason` : withNames`Suspend ${name}`}
      action={suspension ? t`Save reason` : t`Suspend`}
      isDangerous={!suspension}
      lead={
        suspension
          ? t`Owners get an email with the new reason.`
          : t`Members lose access immediately, and open pages and streams close. Owners get an email with the reason. You can resume it at any time.`
      }
      failure={failureMessage(suspend.error)}
      busy={suspend.isPending}
      onSubmit={suspend.mutate}
      onClose={onClose}
    >
      <TextArea
        label="Reason"
        hint="Members see this."
        limit={500}
        rows={3}
        required
        data-autofocus
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
    </FormDialog>
  )
}
