import { useRef, useState } from 'react'
import { telephonyApi } from '../../../api/telephony/client.ts'
import { refreshTelephony } from '../../../api/telephony/overview.ts'
import { editRules, type RoutingRule } from '../../../api/telephony/routing.ts'
import { withNames } from '../../../components/name.tsx'
import { toast, toastFailure } from '../../../components/toast.tsx'
import { moveItem, prioritiesFor } from './priorities.ts'

/** Several steps by keyboard are saved as one move. */
const DEBOUNCE_MS = 500

/** Moves a rule immediately, and saves its position after the last move. */
export function useReorder(rules: RoutingRule[]) {
  const [announcement, setAnnouncement] = useState('')
  const pending = useRef<{ id: string; from: number; timer: ReturnType<typeof setTimeout> }>(undefined)

  async function save(id: string, from: number, order: RoutingRule[]) {
    pending.current = undefined
    const to = order.findIndex((rule) => rule.id === id)
    if (to === from) return
    try {
      for (const change of prioritiesFor(order, to)) await telephonyApi.routing.update(change)
      const undo = () => void save(id, to, moveItem(order, to, from))
      toast(withNames`Moved ${order[to]!.name}`, { label: 'Undo', run: undo })
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
    setAnnouncement(`${order[to]!.name}: position ${to + 1} of ${order.length}`)
    const before = pending.current
    clearTimeout(before?.timer)
    const start = before?.id === id ? before.from : from
    pending.current = { id, from: start, timer: setTimeout(() => void save(id, start, order), DEBOUNCE_MS) }
  }

  return { move, announcement }
}
