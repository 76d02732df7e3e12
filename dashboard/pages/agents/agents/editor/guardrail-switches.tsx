import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import {
  GUARDRAIL_ACTIONS,
  GUARDRAIL_KINDS,
  GUARDRAIL_STAGES,
} from '../../../../../contract/agents/guardrail-options.ts'
import { guardrailsQuery } from '../../../../api/guardrails.ts'
import { Switch } from '../../../../components/forms/switch.tsx'
import type { FieldsProps } from './fields-props.ts'

/** The guardrails that the agent lists; those for all agents apply in any case. */
export function GuardrailSwitches({ draft: { guardrails }, update }: FieldsProps) {
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
              description={`${GUARDRAIL_ACTIONS[action]} · ${GUARDRAIL_KINDS[kind]} · ${GUARDRAIL_STAGES[on]}${everywhere ? ' · for all agents' : ''}`}
              checked={everywhere || guardrails.includes(id)}
              disabled={everywhere}
              onChange={(isOn) => toggle(id, isOn)}
            />
          ))}
        </div>
      )}
      <Link to="/guardrails" className="text-12 text-accent-text hover:underline">
        {items.length > 0 ? 'Manage guardrails' : 'Create a guardrail'}
      </Link>
    </>
  )
}
