import { AGENT_LIMITS } from '../../../../contract/agents/agent-options.ts'
import { t } from '../../../../contract/text.ts'
import type { Agent } from '../../../api/agents.ts'
import { Field } from '../../../components/forms/field.tsx'
import { Name } from '../../../components/name.tsx'
import { AgentFaceField } from './agent-face-field.tsx'
import { AgentFigures } from './agent-figures.tsx'
import type { FieldsProps } from './editor/draft.ts'

interface AgentHeadingProps extends FieldsProps {
  /** Undefined for an agent that isn't saved yet. */
  agent: Agent | undefined
}

/** A field that looks like text until it's pointed at. */
const QUIET =
  '-mx-8 rounded-control border border-transparent bg-transparent px-8 transition-colors enabled:hover:border-neutral-7 focus-visible:border-selection focus-visible:bg-card focus-visible:outline-1 focus-visible:-outline-offset-1 aria-invalid:border-bad-text'

export function AgentHeading({ agent, draft, update, errorOf }: AgentHeadingProps) {
  return (
    <div className="flex flex-wrap items-start gap-x-16 gap-y-12 px-16 pb-12 md:px-24">
      <AgentFaceField agent={agent} draft={draft} update={update} />
      <div className="flex min-w-0 flex-1 basis-qr flex-col gap-2">
        <h1 className="sr-only">
          <Name>{draft.name || t`New agent`}</Name>
        </h1>
        <Field label="Name" labelHidden limit={AGENT_LIMITS.name} value={draft.name} error={errorOf('name')}>
          {(control) => (
            <input
              {...control}
              required
              autoComplete="off"
              placeholder="Name"
              value={draft.name}
              onChange={(event) => update({ name: event.target.value })}
              className={`min-w-0 truncate font-strong text-20 tracking-title md:text-28 ${QUIET}`}
            />
          )}
        </Field>
        <Field
          label="Description"
          labelHidden
          limit={AGENT_LIMITS.description}
          value={draft.description}
          error={errorOf('description')}
        >
          {(control) => (
            <textarea
              {...control}
              rows={1}
              placeholder="What it’s for, in one sentence"
              value={draft.description}
              onChange={(event) => update({ description: event.target.value.replaceAll('\n', ' ') })}
              onKeyDown={(event) => {
                if (event.key === 'Enter') event.preventDefault()
              }}
              className={`field-sizing-content min-w-0 max-w-reading resize-none py-2 text-16 text-neutral-11 sm:text-14 ${QUIET}`}
            />
          )}
        </Field>
      </div>
      {agent && <AgentFigures id={agent.id} />}
    </div>
  )
}
