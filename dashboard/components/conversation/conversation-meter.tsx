import { useQuery } from '@tanstack/react-query'
import { LOCALE, t } from '../../../contract/text.ts'
import { modelsQuery } from '../../api/agents.ts'
import { conversationQuery, conversationRunsQuery, runStepsQuery } from '../../api/conversations.ts'
import { formatCost, formatPercent, isCostKnown } from '../amounts.ts'

export function ConversationMeter({ sessionId }: { sessionId: string }) {
  const conversation = useQuery(conversationQuery(sessionId))
  const context = useContextUse(sessionId)
  if (!conversation.data) return null
  return (
    <span className="flex shrink-0 items-center gap-12 text-12 text-neutral-11 tabular-nums">
      {context && (
        <span
          title={t`Last reply used ${context.used.toLocaleString(LOCALE)} of ${context.model}’s ${context.size.toLocaleString(LOCALE)}-token context window`}
          className="flex items-center gap-4 max-sm:hidden"
        >
          <progress
            aria-label="Context window usage"
            max={context.size}
            value={context.used}
            className="bar h-4 w-48 overflow-hidden rounded-round"
          />
          {formatPercent(context.used / context.size)}
        </span>
      )}
      {isCostKnown(conversation.data.cost) && (
        <span title={t`Conversation cost`}>{formatCost(conversation.data.cost)}</span>
      )}
    </span>
  )
}

/** From the latest finished step; null if the model or its window is unknown. */
function useContextUse(sessionId: string) {
  const runs = useQuery(conversationRunsQuery(sessionId))
  const run = runs.data?.items[0]
  const models = useQuery({ ...modelsQuery, enabled: run !== undefined })
  const version = `${run?.status}-${run?.steps}`
  const steps = useQuery({ ...runStepsQuery(run?.id ?? '', version), enabled: run !== undefined })
  const step = steps.data?.items.findLast(({ state }) => state === 'done')
  const model = models.data?.find(({ id }) => id === step?.model)
  const usage = step?.usage
  if (!usage || !model?.contextWindow) return null
  const used = (usage.input ?? usage.inputTokens ?? 0) + (usage.output ?? usage.outputTokens ?? 0)
  return used > 0 ? { used, size: model.contextWindow, model: model.id } : null
}
