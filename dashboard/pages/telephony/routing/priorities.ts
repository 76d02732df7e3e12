interface RankedRule {
  id: string
  priority: number
}

const STEP = 10

/**
 * `rules` are in the new order. Changes only the moved rule if its neighbors leave a free priority, since a changed
 * rule gets the caller's permissions. Otherwise renumbers all rules.
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

export function moveItem<T>(items: readonly T[], from: number, to: number): T[] {
  const rest = items.toSpliced(from, 1)
  return rest.toSpliced(to, 0, items[from]!)
}
