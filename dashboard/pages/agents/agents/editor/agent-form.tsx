import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import { AGENT_LIMITS, AGENT_TOOL_NAMES, AGENT_TOOLS } from '../../../../../contract/agents/agent-options.ts'
import {
  GUARDRAIL_ACTIONS,
  GUARDRAIL_KINDS,
  GUARDRAIL_STAGES,
} from '../../../../../contract/agents/guardrail-options.ts'
import { t } from '../../../../../contract/text.ts'
import type { Agent } from '../../../../api/agents.ts'
import { failureMessage, fieldMessage } from '../../../../api/explain.ts'
import { guardrailsQuery } from '../../../../api/guardrails.ts'
import { Button } from '../../../../components/button.tsx'
import { UnsavedEdits } from '../../../../components/dialogs/unsaved-edits.tsx'
import { FormFailure } from '../../../../components/failure.tsx'
import { TextArea, TextField } from '../../../../components/forms/field.tsx'
import { Switch } from '../../../../components/forms/switch.tsx'
import { Section } from '../../../../components/section.tsx'
import { EmojiField } from '../../../projects/projects/new/emoji-field.tsx'
import { ApprovalRules } from './approval-rules.tsx'
import { ConnectorChoices } from './connector-choices.tsx'
import type { Draft, FieldsProps } from './draft.ts'
import { McpChoices } from './mcp-choices.tsx'
import { LimitFields, ModelFields } from './model-fields.tsx'
import { SkillChoices } from './skill-choices.tsx'

interface AgentFormProps {
  draft: Draft
  update: (change: Partial<Draft>) => void
  isChanged: boolean
  save: { error: unknown; isPending: boolean; run: () => void }
  onDiscard: () => void
  isNew?: boolean
  warnings?: Agent['warnings']
  disabled?: boolean
}

export function AgentForm(props: AgentFormProps) {
  const { draft, update, isChanged, save, onDiscard, isNew = false, warnings = [], disabled } = props
  const id = useId()
  const errorOf = (field: string) => fieldMessage(save.error, field)
  const fields = { draft, update, errorOf }
  return (
    <form
      id={id}
      aria-label="Agent"
      onSubmit={(event) => {
        event.preventDefault()
        if (!save.isPending) save.run()
      }}
    >
      <fieldset disabled={disabled} className="min-w-0">
        <Section title="General" lead="Members and other agents choose an agent by its name and description.">
          <Basics {...fields} />
        </Section>
        <Section title="Instructions" lead="Included in every prompt.">
          <TextArea
            label="Instructions"
            limit={AGENT_LIMITS.prompt}
            counted
            rows={14}
            className="font-mono sm:text-13!"
            value={draft.prompt}
            error={errorOf('prompt')}
            onChange={(event) => update({ prompt: event.target.value })}
          />
        </Section>
        <Section title="Model" lead="If a model fails, its fallbacks are tried in order.">
          <ModelFields {...fields} warnings={warnings} />
        </Section>
        <Section title="Tools" lead="The agent never has more permissions than the member who starts it.">
          <ToolSwitches {...fields} />
        </Section>
        <Section
          title="Skills"
          lead="The agent sees skill names and descriptions, and reads a skill when a task needs it."
        >
          <SkillChoices {...fields} warnings={warnings} />
        </Section>
        <Section
          title="MCP servers"
          lead="Tools from other systems. Their output is untrusted, so the agent asks before risky actions after using one."
        >
          <McpChoices {...fields} warnings={warnings} />
        </Section>
        <Section
          title="Connectors"
          lead="Services the agent can use, with shared connections or those of the member who starts it."
        >
          <ConnectorChoices {...fields} />
        </Section>
        <Section
          title="Approvals"
          lead="Without a rule, the agent asks before it sends, spends, shares or executes. After reading untrusted content, it also asks before it deletes."
        >
          <ApprovalRules {...fields} />
        </Section>
        <Section title="Guardrails" lead="Rules for the agent’s messages, tool calls and replies.">
          <GuardrailSwitches {...fields} />
        </Section>
        <Section
          title="Limits"
          lead="A run ends when it reaches its step or time limit. When it reaches its budget, it waits until the budget is raised."
        >
          <LimitFields {...fields} />
        </Section>
      </fieldset>
      <UnsavedEdits isChanged={isChanged && !save.isPending} />
      {!disabled && (isChanged || isNew) && (
        <div className="sticky bottom-0 z-10 flex flex-wrap items-center gap-8 border-neutral-6 border-t bg-page px-16 py-12 md:px-24">
          <Button look="primary" type="submit" busy={save.isPending}>
            {isNew ? t`Create agent` : t`Save changes`}
          </Button>
          <Button look="quiet" onClick={onDiscard}>
            {isNew ? t`Cancel` : t`Discard`}
          </Button>
          <FormFailure>{failureMessage(save.error)}</FormFailure>
        </div>
      )}
    </form>
  )
}

function Basics({ draft, update, errorOf }: FieldsProps) {
  return (
    <>
      <div className="flex gap-12">
        <EmojiField value={draft.emoji} onChange={(emoji) => update({ emoji })} />
        <div className="min-w-0 flex-1">
          <TextField
            label="Name"
            limit={AGENT_LIMITS.name}
            required
            autoComplete="off"
            placeholder="Researcher"
            value={draft.name}
            error={errorOf('name')}
            onChange={(event) => update({ name: event.target.value })}
          />
        </div>
      </div>
      <TextArea
        label="Description"
        limit={AGENT_LIMITS.description}
        rows={2}
        placeholder="Finds sources and compares them"
        value={draft.description}
        error={errorOf('description')}
        onChange={(event) => update({ description: event.target.value })}
      />
    </>
  )
}

function ToolSwitches({ draft: { tools }, update }: FieldsProps) {
  return (
    <div className="border-neutral-6 border-t">
      {AGENT_TOOL_NAMES.map((name) => (
        <Switch
          key={name}
          label={AGENT_TOOLS[name].label}
          description={AGENT_TOOLS[name].description}
          checked={tools[name]}
          onChange={(on) => update({ tools: { ...tools, [name]: on } })}
        />
      ))}
    </div>
  )
}

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
      <Link to="/guardrails" className="text-12 text-selection-text hover:underline">
        {items.length > 0 ? t`Manage guardrails` : t`Create guardrail`}
      </Link>
    </>
  )
}
