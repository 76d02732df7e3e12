import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { TELEPHONY_LIMITS } from '../../../../contract/telephony/telephony-options.ts'
import { t } from '../../../../contract/text.ts'
import { connectionsQuery } from '../../../api/connections.ts'
import { failureMessage, fieldMessage } from '../../../api/explain.ts'
import { newestProjectsQuery } from '../../../api/projects.ts'
import { accountName, connectionName } from '../../../components/connectors/connection-labels.tsx'
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx'
import { TextField } from '../../../components/forms/field.tsx'
import { Select } from '../../../components/forms/select.tsx'
import { Switch } from '../../../components/forms/switch.tsx'
import { withNames } from '../../../components/name.tsx'
import { toast } from '../../../components/toast.tsx'
import { asE164 } from '../phone.tsx'
import { cacheNumber, telephonyApi } from '../telephony-queries.ts'

export function ImportDialog({ onClose }: { onClose: () => void }) {
  const [draft, setDraft] = useState({
    phone: '',
    label: '',
    connectionId: '',
    projectId: '',
    configureWebhooks: true,
  })
  const change = (next: Partial<typeof draft>) => setDraft({ ...draft, ...next })
  const navigate = useNavigate()
  const accounts = (useQuery(connectionsQuery).data?.items ?? []).filter(
    ({ connectorSlug, status }) => connectorSlug === 'twilio' && status === 'active',
  )
  const projects = (useQuery(newestProjectsQuery).data?.items ?? []).filter(({ canEdit }) => canEdit)
  const save = useMutation({
    mutationFn: () =>
      telephonyApi.phoneNumbers.import({
        provider: 'twilio',
        phoneNumber: asE164(draft.phone),
        connectionId: draft.connectionId || undefined,
        label: draft.label.trim() || undefined,
        projectId: draft.projectId || undefined,
        configureWebhooks: draft.configureWebhooks,
      }),
    onSuccess: async (number) => {
      await cacheNumber(number)
      toast(withNames`Imported ${number.e164}`)
      await navigate({ to: '/phone', search: { number: number.id } })
    },
  })
  const errorOf = (field: string) => fieldMessage(save.error, field)
  const hasFieldError = ['phoneNumber', 'label', 'connectionId', 'projectId'].some(errorOf)
  return (
    <FormDialog
      title="Import number"
      lead="A number from your Twilio account. It stays in your account."
      action="Import"
      failure={hasFieldError ? undefined : failureMessage(save.error)}
      busy={save.isPending}
      onSubmit={save.mutate}
      onClose={onClose}
    >
      <TextField
        label="Number"
        type="tel"
        required
        placeholder="+4930123456"
        hint="Include the country code."
        autoComplete="off"
        data-autofocus
        value={draft.phone}
        error={errorOf('phoneNumber')}
        onChange={(event) => change({ phone: event.target.value })}
      />
      {accounts.length > 1 && (
        <Select
          label="Account"
          value={draft.connectionId || accounts[0]!.id}
          error={errorOf('connectionId')}
          onChange={(event) => change({ connectionId: event.target.value })}
        >
          {accounts.map((account) => (
            <option key={account.id} value={account.id}>
              {[connectionName(account), accountName(account)].filter(Boolean).join(' · ')}
            </option>
          ))}
        </Select>
      )}
      {accounts.length < 2 && (
        <p className="text-13 text-neutral-11">
          {accounts[0]
            ? withNames`Account: ${accountName(accounts[0]) ?? connectionName(accounts[0])}`
            : t`Account: this server’s account`}
        </p>
      )}
      <TextField
        label="Label (optional)"
        placeholder="Support line"
        limit={TELEPHONY_LIMITS.label}
        autoComplete="off"
        value={draft.label}
        error={errorOf('label')}
        onChange={(event) => change({ label: event.target.value })}
      />
      <Select
        label="Project"
        value={draft.projectId}
        hint="Stores its conversations, recordings and files."
        error={errorOf('projectId')}
        onChange={(event) => change({ projectId: event.target.value })}
      >
        <option value="">Same as the last number, or a new project</option>
        {projects.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
      <Switch
        label="Send its calls and messages to Atrium"
        description="Sets the number’s URLs at Twilio. Turn off to set them yourself."
        checked={draft.configureWebhooks}
        onChange={(configureWebhooks) => change({ configureWebhooks })}
      />
    </FormDialog>
  )
}
