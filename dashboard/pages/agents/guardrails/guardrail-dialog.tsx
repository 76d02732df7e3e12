import { useState } from 'react'
import {
  GUARDRAIL_ACTIONS,
  GUARDRAIL_KINDS,
  GUARDRAIL_LIMITS,
  GUARDRAIL_STAGES,
} from '../../../../contract/agents/guardrail-options.ts'
import { failureMessage, fieldMessage } from '../../../api/explain.ts'
import { type Guardrail, refreshGuardrails } from '../../../api/guardrails.ts'
import { skillApi } from '../../../api/skills.ts'
import { FormDialog, useSaveRecord } from '../../../components/dialogs/form-dialog.tsx'
import { TextField } from '../../../components/forms/field.tsx'
import { Select } from '../../../components/forms/select.tsx'
import { Switch } from '../../../components/forms/switch.tsx'
import { ConfigFields } from './config-fields.tsx'
import { type Draft, draftOf, isComplete, ruleOf } from './draft.ts'
import { TryOut } from './try-out.tsx'

/** Creates or changes a guardrail, with a try-out below the rule. */
export function GuardrailDialog({ guardrail, onClose }: { guardrail?: Guardrail; onClose: () => void }) {
  const [draft, setDraft] = useState(() => draftOf(guardrail))
  const change = (next: Partial<Draft>) => setDraft((previous) => ({ ...previous, ...next }))
  const rule = ruleOf(draft)
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
      title={guardrail ? 'Edit guardrail' : 'New guardrail'}
      action={guardrail ? 'Save changes' : 'Create guardrail'}
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
          label="Finds"
          labels={GUARDRAIL_KINDS}
          value={draft.kind}
          disabled={guardrail !== undefined}
          onChange={(kind) => change({ kind })}
        />
        <Choice label="In" labels={GUARDRAIL_STAGES} value={draft.on} onChange={(on) => change({ on })} />
        <Choice label="Then" labels={labels} value={rule.action} onChange={(action) => change({ action })} />
      </div>
      <ConfigFields draft={draft} change={change} errorOf={errorOf} />
      <div>
        <Switch
          label="For all agents"
          description="Otherwise it applies to the agents that have it in their settings. Only admins can change this."
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
