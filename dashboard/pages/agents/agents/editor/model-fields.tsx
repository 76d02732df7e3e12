import { Plus, X } from 'lucide-react'
import { AGENT_LIMITS, REASONING_LEVELS } from '../../../../../contract/agents/agent-options.ts'
import { t } from '../../../../../contract/text.ts'
import type { Agent } from '../../../../api/agents.ts'
import { Button } from '../../../../components/button.tsx'
import { Segments } from '../../../../components/layout/segments.tsx'
import { ModelPicker } from '../../../../components/models/model-picker.tsx'
import { capitalize } from '../../../../state/label-in-sentence.ts'
import type { FieldsProps } from './draft.ts'

const LEVELS: Record<(typeof REASONING_LEVELS)[number], string> = {
  off: t`Off`,
  low: t`Low`,
  medium: t`Medium`,
  high: t`High`,
}
const REASONING = REASONING_LEVELS.map((value) => ({ value, label: LEVELS[value] }))

interface ModelFieldsProps extends FieldsProps {
  warnings: Agent['warnings']
  disabled: boolean | undefined
}

export function ModelFields({ draft, update, errorOf, warnings, disabled }: ModelFieldsProps) {
  const { model, fallbackModels, reasoning } = draft
  const hintOf = (value: string) => {
    const warning = warnings.find(({ message }) => value && message.endsWith(` ${value}`))?.message
    return warning && <span className="text-warning-text">{capitalize(warning)}.</span>
  }
  const setFallback = (at: number, value: string) =>
    update({ fallbackModels: fallbackModels.map((each, index) => (index === at ? value : each)) })
  return (
    <div className="flex flex-col gap-12">
      <div className="flex flex-wrap items-start gap-16">
        <div className="min-w-0 flex-1 basis-list">
          <ModelPicker
            label="Model"
            hasDefault
            limit={AGENT_LIMITS.model}
            hint={hintOf(model)}
            value={model}
            error={errorOf('model')}
            disabled={disabled}
            onChange={(value) => update({ model: value })}
          />
        </div>
        <div
          className="flex flex-col gap-4"
          title={t`How much the model reasons before it replies, if supported.`}
        >
          <span aria-hidden className="font-medium text-13">
            Thinking
          </span>
          <Segments
            label="Thinking"
            size="normal"
            value={reasoning}
            options={REASONING}
            onChoose={(level) => update({ reasoning: level })}
          />
        </div>
      </div>
      {fallbackModels.map((fallback, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the position is the identity of a fallback while it is typed.
        <div key={index} className="flex items-end gap-8">
          <div className="min-w-0 flex-1">
            <ModelPicker
              label={t`Fallback ${index + 1}`}
              limit={AGENT_LIMITS.model}
              hint={hintOf(fallback)}
              value={fallback}
              error={errorOf(`fallbackModels.${index}`) ?? errorOf('fallbackModels')}
              disabled={disabled}
              onChange={(value) => setFallback(index, value)}
            />
          </div>
          <Button
            look="quiet"
            size="icon"
            aria-label={t`Remove fallback ${index + 1}`}
            onClick={() => update({ fallbackModels: fallbackModels.filter((_, at) => at !== index) })}
          >
            <X aria-hidden className="icon" />
          </Button>
        </div>
      ))}
      {fallbackModels.length < AGENT_LIMITS.fallbackModels && (
        <Button
          look="quiet"
          size="small"
          className="-ml-8 self-start"
          title={t`Fallbacks are tried in order if the model fails.`}
          onClick={() => update({ fallbackModels: [...fallbackModels, ''] })}
        >
          <Plus aria-hidden className="icon" />
          Add fallback
        </Button>
      )}
    </div>
  )
}
