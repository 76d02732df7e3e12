import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { agentChoicesQuery } from '../../../api/agents.ts'
import { withNames } from '../../../components/name.tsx'
import { toast, toastFailure } from '../../../components/toast.tsx'
import {
  allNumbersQuery,
  editRules,
  type RoutingRule,
  type RuleAction,
  refreshTelephony,
  type TryResult,
  telephonyApi,
} from '../telephony-queries.ts'
import { describeAction, describeMatch } from './describe-rule.ts'
import { moveItem, prioritiesFor } from './priorities.ts'
import { RuleRow } from './rule-row.tsx'

interface RuleListProps {
  rules: RoutingRule[]
  /** Applies if no rule answers. */
  fallback: RuleAction
  tryResult: TryResult | undefined
  canEdit: boolean
  onEdit: (id: string) => void
}

export function RuleList({ rules, fallback, tryResult, canEdit, onEdit }: RuleListProps) {
  const numbers = useQuery(allNumbersQuery).data
  const agents = useQuery(agentChoicesQuery).data?.items ?? []
  const [draggedId, setDraggedId] = useState<string>()
  const { move, announcement } = useReorder(rules)
  const numberName = (id: string) => {
    const number = numbers?.find((each) => each.id === id)
    if (!numbers) return '…'
    return number ? (number.label ?? number.e164) : t`a deleted number`
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
        className="flex items-center gap-12 border-neutral-6 border-b px-16 py-12 text-13 text-neutral-11 aria-[current=true]:bg-selection-wash md:px-24"
      >
        <span className="min-w-0 flex-1">
          <span className="font-medium text-neutral-12">Otherwise</span>
          <span className="block text-12">{fallback.message ?? t`The call ends.`}</span>
        </span>
        <span className="shrink-0">{describeAction(fallback, agentName)}</span>
      </div>
    </>
  )
}

/** Saves several keyboard steps as one move. */
const DEBOUNCE_MS = 500

/** Saves the position after the last move. */
function useReorder(rules: RoutingRule[]) {
  const [announcement, setAnnouncement] = useState('')
  const pending = useRef<{ id: string; from: number; timer: ReturnType<typeof setTimeout> }>(undefined)

  async function save(id: string, from: number, order: RoutingRule[]) {
    pending.current = undefined
    const to = order.findIndex((rule) => rule.id === id)
    if (to === from) return
    try {
      for (const change of prioritiesFor(order, to)) await telephonyApi.routing.update(change)
      const undo = () => void save(id, to, moveItem(order, to, from))
      toast(withNames`Moved ${order[to]!.name}`, { label: t`Undo`, run: undo })
    } catch (error) {
      toastFailure(error)
    } finally {
      await refreshTelephony()
    }
  }

  function move(id: string, to: number) {
    const from = rules.findIndex((rule) => rule.id === id)
    if (from < 0 || to < 0 || to >= rules.length || to === from) return
    const order = moveItem(rules, from, to)
    editRules(() => order)
    setAnnouncement(t`${order[to]!.name}: position ${to + 1} of ${order.length}`)
    const before = pending.current
    clearTimeout(before?.timer)
    const start = before?.id === id ? before.from : from
    pending.current = { id, from: start, timer: setTimeout(() => void save(id, start, order), DEBOUNCE_MS) }
  }

  return { move, announcement }
}
