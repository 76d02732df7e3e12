interface RankedRule {
  id: string
  priority: number
}

const STEP = 10

/**
 * The changes of priorities after the rule at `index` was moved; `rules` are in the new order. Only this rule changes
 * if a priority between its neighbors is free, since a changed rule gets the rights of the caller. Otherwise all rules
 * are renumbered.
 */
export function prioritiesFor(rules: readonly RankedRule[], index: number): RankedRule[] {
  const { id } = rules[index]!
  const before = rules[index - 1]?.priority ?? -1
  const after = rules[index + 1]?.priority ?? before + 2 * STEP
  const priority = Math.floor((before + after) / 2)
  if (priority > before && priority < after) return [{ id, priority }]
  return rules
    .map((rule, position) => ({ id: rule.id, priority: (position + 1) * STEP, previous: rule.priority }))
    .filter((rule) => rule.priority !== rule.previous)
    .map(({ id: changed, priority: next }) => ({ id: changed, priority: next }))
}

/** A copy in which the item at `from` is at `to`. */
export function moveItem<T>(items: readonly T[], from: number, to: number): T[] {
  const rest = items.toSpliced(from, 1)
  return rest.toSpliced(to, 0, items[from]!)
}
