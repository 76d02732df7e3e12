import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { agentChoicesQuery } from '../../../api/agents.ts'
import { allNumbersQuery } from '../../../api/telephony/overview.ts'
import type { RoutingRule, RuleAction, TryResult } from '../../../api/telephony/routing.ts'
import { describeAction, describeMatch } from './describe-rule.ts'
import { RuleRow } from './rule-row.tsx'
import { useReorder } from './use-reorder.ts'

interface RuleListProps {
  rules: RoutingRule[]
  /** The action if no rule answers. */
  fallback: RuleAction
  tryResult: TryResult | undefined
  canEdit: boolean
  onEdit: (id: string) => void
}

/** The rules in the order in which they are tried: dragged, or moved with the arrow keys on the handle. */
export function RuleList({ rules, fallback, tryResult, canEdit, onEdit }: RuleListProps) {
  const numbers = useQuery(allNumbersQuery).data
  const agents = useQuery(agentChoicesQuery).data?.items ?? []
  const [draggedId, setDraggedId] = useState<string>()
  const { move, announcement } = useReorder(rules)
  const numberName = (id: string) => {
    const number = numbers?.find((each) => each.id === id)
    if (!numbers) return '…'
    return number ? (number.label ?? number.e164) : 'a deleted number'
  }
  const agentName = (id: string) => agents.find((each) => each.id === id)?.name
  return (
    <>
      <p role="status" className="sr-only">
        {announcement}
      </p>
      <ol aria-label="Rules">
        {rules.map((rule, index) => (
          <RuleRow
            key={rule.id}
            rule={rule}
            position={index + 1}
            matchText={describeMatch(rule.match, numberName)}
            actionText={describeAction(rule.action, agentName)}
            checkResult={tryResult?.checked.find(({ ruleId }) => ruleId === rule.id)}
            canEdit={canEdit}
            isDragged={draggedId === rule.id}
            onEdit={() => onEdit(rule.id)}
            onStep={(step) => move(rule.id, index + step)}
            onDragStart={() => setDraggedId(rule.id)}
            onDragOver={() => {
              if (draggedId !== undefined && draggedId !== rule.id) move(draggedId, index)
            }}
            onDragEnd={() => setDraggedId(undefined)}
          />
        ))}
      </ol>
      <div
        aria-current={tryResult && tryResult.rule === null ? true : undefined}
        className="flex items-center gap-12 border-neutral-6 border-b px-16 py-12 text-13 text-neutral-11 aria-[current=true]:bg-accent-wash md:px-24"
      >
        <span className="min-w-0 flex-1">
          <span className="font-medium text-neutral-12">Otherwise</span>
          <span className="block text-12">{fallback.message ?? 'The call ends.'}</span>
        </span>
        <span className="shrink-0">{describeAction(fallback, agentName)}</span>
      </div>
    </>
  )
}
