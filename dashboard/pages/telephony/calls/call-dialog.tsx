import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { TELEPHONY_LIMITS } from '../../../../contract/telephony/telephony-options.ts'
import { t } from '../../../../contract/text.ts'
import { agentChoicesQuery } from '../../../api/agents.ts'
import { fieldMessage } from '../../../api/explain.ts'
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx'
import { useCreateDialog } from '../../../components/dialogs/use-create-dialog.ts'
import { TextArea, TextField } from '../../../components/forms/field.tsx'
import { Select } from '../../../components/forms/select.tsx'
import { Segments } from '../../../components/layout/segments.tsx'
import { NumberOptions } from '../numbers/number-options.tsx'
import { asE164 } from '../phone.tsx'
import { cacheCall, type NewCall, numbersQuery, telephonyApi } from '../telephony-queries.ts'

const TASK_MAX = 4000
const FIELDS = ['to', 'agentId', 'task', 'message', 'from']
const CALL_KINDS = [
  { value: 'agent', label: t`An agent speaks` },
  { value: 'message', label: t`Read out a message` },
] as const

/** An agent speaks, or a message is read out. */
export function CallDialog({ onClose, to = '' }: { onClose: () => void; to?: string }) {
  const [kind, setKind] = useState<'agent' | 'message'>('agent')
  const [draft, setDraft] = useState({ to, agentId: '', task: '', message: '', from: '' })
  const change = (next: Partial<typeof draft>) => setDraft({ ...draft, ...next })
  const navigate = useNavigate()
  const agents = useQuery(agentChoicesQuery).data?.items ?? []
  const numbers = (useQuery(numbersQuery).data ?? []).filter(({ capabilities }) => capabilities.voice)
  const request = (): NewCall => ({
    to: asE164(draft.to),
    from: draft.from || undefined,
    message: draft.message.trim() || undefined,
    ...(kind === 'agent' && {
      agentId: draft.agentId || agents[0]?.id,
      task: draft.task.trim() || undefined,
    }),
  })
  const { form, errorOf } = useCreateDialog({
    create: (keyOf) => telephonyApi.calls.create(request(), { idempotencyKey: keyOf(request()) }),
    onCreated: async (created) => {
      await cacheCall(created)
      await navigate({ to: '/phone/calls/$callId', params: { callId: created.id }, search: {} })
    },
    onClose,
    isFieldError: (error) => FIELDS.some((field) => fieldMessage(error, field)),
  })
  return (
    <FormDialog size="normal" title="Make a call" action="Call" {...form}>
      <TextField
        label="To"
        type="tel"
        required
        placeholder="+4930123456"
        autoComplete="off"
        data-autofocus
        value={draft.to}
        error={errorOf('to')}
        onChange={(event) => change({ to: event.target.value })}
      />
      <Select
        label="From"
        value={draft.from}
        error={errorOf('from')}
        onChange={(event) => change({ from: event.target.value })}
      >
        <NumberOptions numbers={numbers} by="e164" none={numbers.length > 1 ? t`Oldest number` : undefined} />
      </Select>
      <Segments label="Call type" value={kind} options={CALL_KINDS} onChoose={setKind} />
      {kind === 'agent' && (
        <>
          <Select
            label="Agent"
            required
            value={draft.agentId || agents[0]?.id}
            error={errorOf('agentId')}
            onChange={(event) => change({ agentId: event.target.value })}
          >
            {agents.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
          <TextArea
            label="Task (optional)"
            rows={3}
            limit={TASK_MAX}
            placeholder="Ask if Thursday at 10 works for the appointment. If not, find another time."
            value={draft.task}
            error={errorOf('task')}
            onChange={(event) => change({ task: event.target.value })}
          />
        </>
      )}
      <TextArea
        label={kind === 'agent' ? t`Opening line (optional)` : t`Message`}
        required={kind === 'message'}
        rows={2}
        limit={TELEPHONY_LIMITS.message}
        value={draft.message}
        error={errorOf('message')}
        onChange={(event) => change({ message: event.target.value })}
      />
    </FormDialog>
  )
}
