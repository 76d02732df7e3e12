import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useDeferredValue, useState } from 'react'
import {
  GUARDRAIL_ACTIONS,
  GUARDRAIL_KINDS,
  GUARDRAIL_LIMITS,
  GUARDRAIL_STAGES,
} from '../../../../contract/agents/guardrail-options.ts'
import { t } from '../../../../contract/text.ts'
import { failureMessage, fieldMessage, shortMessage } from '../../../api/explain.ts'
import {
  type Guardrail,
  type GuardrailRule,
  type GuardrailTrial,
  refreshGuardrails,
} from '../../../api/guardrails.ts'
import { skillApi } from '../../../api/skills.ts'
import { FormDialog, useSaveRecord } from '../../../components/dialogs/form-dialog.tsx'
import { TextArea, TextField } from '../../../components/forms/field.tsx'
import { Select } from '../../../components/forms/select.tsx'
import { Switch } from '../../../components/forms/switch.tsx'
import { ConfigFields } from './config-fields.tsx'
import { type Draft, isComplete, toDraft, toGuardrailRule } from './draft.ts'

export function GuardrailDialog({ guardrail, onClose }: { guardrail?: Guardrail; onClose: () => void }) {
  const [draft, setDraft] = useState(() => toDraft(guardrail))
  const change = (next: Partial<Draft>) => setDraft((previous) => ({ ...previous, ...next }))
  const rule = toGuardrailRule(draft)
  const save = useSaveRecord({
    isNew: !guardrail,
    refresh: refreshGuardrails,
    onClose,
    save: () => {
      const { name, everywhere, enabled } = draft
      if (!guardrail) return skillApi.guardrails.create({ name, everywhere, enabled, ...rule })
      const { on, action, config } = rule
      return skillApi.guardrails.update({
        id: guardrail.id,
        name,
        everywhere,
        enabled,
        on,
        action,
        config: { ...config },
      })
    },
  })
  const errorOf = (field: string) => fieldMessage(save.error, field)
  const labels = draft.kind === 'model' ? WITHOUT_REDACT : GUARDRAIL_ACTIONS
  return (
    <FormDialog
      size="normal"
      title={guardrail ? t`Edit guardrail` : t`New guardrail`}
      action={guardrail ? t`Save changes` : t`Create guardrail`}
      failure={failureMessage(save.error)}
      busy={save.isPending}
      onSubmit={save.mutate}
      onClose={onClose}
    >
      <TextField
        label="Name"
        required
        limit={GUARDRAIL_LIMITS.name}
        autoComplete="off"
        data-autofocus
        placeholder="No personal data"
        value={draft.name}
        error={errorOf('name')}
        onChange={(event) => change({ name: event.target.value })}
      />
      <div className="grid gap-12 sm:grid-cols-3">
        <Choice
          label="Look for"
          labels={GUARDRAIL_KINDS}
          value={draft.kind}
          disabled={guardrail !== undefined}
          onChange={(kind) => change({ kind })}
        />
        <Choice label="Check" labels={GUARDRAIL_STAGES} value={draft.on} onChange={(on) => change({ on })} />
        <Choice
          label="Action"
          labels={labels}
          value={rule.action}
          onChange={(action) => change({ action })}
        />
      </div>
      <ConfigFields draft={draft} change={change} errorOf={errorOf} />
      <div>
        <Switch
          label="For all agents"
          description="Otherwise, only for agents that select it. Only admins can change this."
          checked={draft.everywhere}
          onChange={(everywhere) => change({ everywhere })}
        />
        <Switch label="Enabled" checked={draft.enabled} onChange={(enabled) => change({ enabled })} />
      </div>
      <TryOut rule={rule} isComplete={isComplete(draft)} />
    </FormDialog>
  )
}

const { redact: _, ...WITHOUT_REDACT } = GUARDRAIL_ACTIONS

interface ChoiceProps<T extends string> {
  label: string
  labels: Partial<Record<T, string>>
  value: T
  onChange: (value: T) => void
  disabled?: boolean
}

const Choice = <T extends string>({ label, labels, value, onChange, disabled }: ChoiceProps<T>) => (
  <Select
    label={label}
    value={value}
    disabled={disabled}
    onChange={(event) => onChange(event.target.value as T)}
  >
    {Object.entries<string | undefined>(labels).map(([key, text]) => (
      <option key={key} value={key}>
        {text}
      </option>
    ))}
  </Select>
)

const EXAMPLE = t`Write to ada@example.com or call +44 20 7946 0958 about card 4111 1111 1111 1111.`

function TryOut({ rule, isComplete }: { rule: GuardrailRule; isComplete: boolean }) {
  const [typed, setTyped] = useState(EXAMPLE)
  const text = useDeferredValue(typed)
  const canTry = rule.kind !== 'model'
  const trial = useQuery({
    queryKey: ['guardrails', 'try', rule, text],
    queryFn: ({ signal }) => skillApi.guardrails.try({ rule, text }, { signal }),
    enabled: isComplete && canTry && text !== '',
    retry: false,
    placeholderData: keepPreviousData,
  })
  return (
    <section aria-label="Try it" className="flex flex-col gap-8 border-neutral-6 border-t pt-16">
      <TextArea
        label="Try a text"
        rows={3}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      {canTry && isComplete && trial.error && (
        <p className="text-12 text-neutral-11">{shortMessage(trial.error)}</p>
      )}
      {canTry && isComplete && trial.data && !trial.error && <Result trial={trial.data} text={text} />}
      {!canTry && (
        <p className="text-12 text-neutral-11">
          Model rules are tested only in runs and with <code>POST /guardrails/try</code>.
        </p>
      )}
    </section>
  )
}

const RESULTS = {
  block: t`Blocks this text.`,
  redact: t`The agent gets:`,
  flag: t`Flags this text:`,
} as const

function Result({ trial, text }: { trial: GuardrailTrial; text: string }) {
  if (!trial.matched) return <p className="text-12 text-neutral-11">No match. The text passes unchanged.</p>
  return (
    <div role="status" className="flex flex-col gap-4 text-12">
      <p className="text-neutral-11">{RESULTS[trial.action]}</p>
      <p className="whitespace-pre-wrap break-words rounded-control bg-inset p-8">
        {trial.action === 'redact' ? trial.text : highlight(text, trial.matches)}
      </p>
    </div>
  )
}

function highlight(text: string, matches: GuardrailTrial['matches']): ReactNode[] {
  const parts: ReactNode[] = []
  let at = 0
  for (const { start, end, label } of matches) {
    parts.push(text.slice(at, start))
    parts.push(
      <mark key={start} title={label} className="rounded-control bg-warning-wash text-neutral-12">
        {text.slice(start, end)}
      </mark>,
    )
    at = end
  }
  return [...parts, text.slice(at)]
}
