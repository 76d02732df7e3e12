import { AGENT_LIMITS } from '../../../../../contract/agents/agent-options.ts'
import type { Agent } from '../../../../api/agents.ts'
import { Field, submitOnModEnter } from '../../../../components/forms/field.tsx'
import type { FieldsProps } from './draft.ts'
import { ModelFields } from './model-fields.tsx'

interface InstructionsTabProps extends FieldsProps {
  warnings: Agent['warnings']
  disabled: boolean | undefined
}

export function InstructionsTab({ warnings, disabled, ...fields }: InstructionsTabProps) {
  const { draft, update, errorOf } = fields
  return (
    <>
      <ModelFields {...fields} warnings={warnings} disabled={disabled} />
      <Field
        label="Instructions"
        labelHidden
        limit={AGENT_LIMITS.prompt}
        counted
        value={draft.prompt}
        error={errorOf('prompt')}
        hint="Included in every prompt. Markdown headings and lists help the model."
      >
        {(control) => (
          <textarea
            {...control}
            rows={16}
            placeholder={PLACEHOLDER}
            value={draft.prompt}
            onChange={(event) => update({ prompt: event.target.value })}
            onKeyDown={submitOnModEnter}
            className="field-sizing-content min-h-nested-max w-full resize-y rounded-panel bg-card px-16 py-16 text-16 text-neutral-12 leading-(--text-15--line-height) shadow-card outline-none focus-visible:outline-2 focus-visible:outline-selection focus-visible:-outline-offset-1 aria-invalid:outline-1 aria-invalid:outline-bad-text sm:px-24 sm:text-15"
          />
        )}
      </Field>
    </>
  )
}

const PLACEHOLDER = `You … for …

## How you work
- …

## Never
- …

## When you finish
…`
