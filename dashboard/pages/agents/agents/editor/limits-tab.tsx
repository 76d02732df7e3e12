import { AGENT_LIMITS } from '../../../../../contract/agents/agent-options.ts'
import { t } from '../../../../../contract/text.ts'
import { TextField } from '../../../../components/forms/field.tsx'
import type { FieldsProps } from './draft.ts'
import { SettingGroup } from './setting-group.tsx'

export const LimitsTab = (fields: FieldsProps) => (
  <SettingGroup
    title="Per run"
    lead="A run ends when it reaches its step or time limit. When it reaches its budget, it waits until the budget is raised."
  >
    <LimitFields {...fields} />
  </SettingGroup>
)

function LimitFields({ draft, update, errorOf }: FieldsProps) {
  const { maxSteps, maxMinutes } = AGENT_LIMITS
  return (
    <div className="grid items-start gap-16 @medium:grid-cols-3">
      <TextField
        label="Steps"
        hint={t`Model calls, ${maxSteps.min} to ${maxSteps.max}`}
        type="number"
        required
        min={maxSteps.min}
        max={maxSteps.max}
        value={draft.maxSteps}
        error={errorOf('maxSteps')}
        onChange={(event) => update({ maxSteps: event.target.value })}
      />
      <TextField
        label="Minutes"
        hint={t`${maxMinutes.min} to ${maxMinutes.max}`}
        type="number"
        required
        min={maxMinutes.min}
        max={maxMinutes.max}
        value={draft.maxMinutes}
        error={errorOf('maxMinutes')}
        onChange={(event) => update({ maxMinutes: event.target.value })}
      />
      <TextField
        label="Budget in USD"
        hint="Per run; leave empty for none"
        inputMode="decimal"
        autoComplete="off"
        placeholder={t`2.50`}
        value={draft.budget}
        error={errorOf('budget.amount')}
        onChange={(event) => update({ budget: event.target.value })}
      />
    </div>
  )
}
