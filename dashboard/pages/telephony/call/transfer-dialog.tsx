import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { TELEPHONY_LIMITS } from '../../../../contract/telephony/telephony-options.ts'
import { failureMessage, fieldMessage } from '../../../api/explain.ts'
import { type Call, cacheCall } from '../../../api/telephony/calls.ts'
import { telephonyApi } from '../../../api/telephony/client.ts'
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx'
import { TextArea } from '../../../components/forms/field.tsx'
import { toast } from '../../../components/toast.tsx'
import { phoneList } from '../numbers/number-draft.ts'

/** Connects the caller to a person. */
export function TransferDialog({ call, onClose }: { call: Call; onClose: () => void }) {
  const [targets, setTargets] = useState('')
  const [summary, setSummary] = useState('')
  const transfer = useMutation({
    mutationFn: () =>
      telephonyApi.calls.transfer({
        id: call.id,
        targets: phoneList(targets),
        summary: summary.trim() || undefined,
      }),
    onSuccess: async (changed) => {
      await cacheCall(changed)
      toast('The transfer has begun')
      onClose()
    },
  })
  const { error } = transfer
  const targetError =
    fieldMessage(error, 'targets') ??
    phoneList(targets)
      .map((_, index) => fieldMessage(error, `targets.${index}`))
      .find(Boolean)
  const summaryError = fieldMessage(error, 'summary')
  return (
    <FormDialog
      title="Transfer the call"
      lead="The caller hears hold music while the numbers are dialed one after the other. If no number answers, the caller returns to the agent."
      action="Transfer"
      failure={targetError || summaryError ? undefined : failureMessage(error)}
      busy={transfer.isPending}
      onSubmit={transfer.mutate}
      onClose={onClose}
    >
      <TextArea
        label="Numbers"
        required
        rows={2}
        hint="In the order in which they are dialed, one per line."
        placeholder="+4930123456"
        autoComplete="off"
        data-autofocus
        value={targets}
        error={targetError}
        onChange={(event) => setTargets(event.target.value)}
      />
      <TextArea
        label="Summary (optional)"
        rows={3}
        limit={TELEPHONY_LIMITS.message}
        hint="The person hears this before the caller is connected. Empty: the agent summarizes the call."
        value={summary}
        error={summaryError}
        onChange={(event) => setSummary(event.target.value)}
      />
    </FormDialog>
  )
}
