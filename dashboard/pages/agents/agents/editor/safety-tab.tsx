import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import {
  GUARDRAIL_ACTIONS,
  GUARDRAIL_KINDS,
  GUARDRAIL_STAGES,
} from '../../../../../contract/agents/guardrail-options.ts'
import { t } from '../../../../../contract/text.ts'
import { guardrailsQuery } from '../../../../api/guardrails.ts'
import { Switch } from '../../../../components/forms/switch.tsx'
import { ApprovalRules } from './approval-rules.tsx'
import type { FieldsProps } from './draft.ts'
import { SettingGroup } from './setting-group.tsx'

export const SafetyTab = (fields: FieldsProps) => (
  <>
    <SettingGroup
      title="Approvals"
      lead="Without a rule, the agent asks before it sends, spends, shares or executes. After reading untrusted content, it also asks before it deletes."
    >
      <ApprovalRules {...fields} />
    </SettingGroup>
    <SettingGroup title="Guardrails" lead="Rules for the agent’s messages, tool calls and replies.">
      <GuardrailSwitches {...fields} />
    </SettingGroup>
  </>
)

/** Guardrails for all agents apply in any case. */
function GuardrailSwitches({ draft: { guardrails }, update }: FieldsProps) {
  const items = useQuery(guardrailsQuery).data?.items ?? []
  const toggle = (id: string, on: boolean) =>
    update({ guardrails: on ? [...guardrails, id] : guardrails.filter((other) => other !== id) })
  return (
    <>
      {items.length > 0 && (
        <div className="border-neutral-6 border-t">
          {items.map(({ id, name, kind, on, action, everywhere }) => (
            <Switch
              key={id}
              label={name}
              description={`${GUARDRAIL_ACTIONS[action]} · ${GUARDRAIL_KINDS[kind]} · ${GUARDRAIL_STAGES[on]}${everywhere ? t` · for all agents` : ''}`}
              checked={everywhere || guardrails.includes(id)}
              disabled={everywhere}
              onChange={(isOn) => toggle(id, isOn)}
            />
          ))}
        </div>
      )}
      <Link to="/guardrails" className="self-start text-12 text-selection-text hover:underline">
        {items.length > 0 ? t`Manage guardrails` : t`Create guardrail`}
      </Link>
    </>
  )
}
