import type { z } from 'zod'
import type { RuleAction } from '../../../../contract/telephony/telephony-fields.ts'
import type { RoutingRule } from '../../../../contract/telephony/telephony-records.ts'
import { OBSTACLES } from './obstacles.ts'
import type { StoredAction } from './rule.ts'
import type { RuleRow } from './rule-queries.ts'

export const presentRule = (row: RuleRow): z.output<typeof RoutingRule> => ({
  id: row.id,
  name: row.name,
  priority: row.priority,
  enabled: row.enabled,
  match: row.match,
  action: presentAction(row.action),
  fallback: presentAction(row.fallback),
  runsAs: { id: row.ownerId, name: row.ownerName },
  problem: problemOf(row),
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
})

/** Omits the project of a block, which the API does not return. */
export function presentAction(stored: StoredAction): z.output<typeof RuleAction> {
  const { projectId: _, ...action } = stored
  return action
}

function problemOf({ obstacle, fallbackObstacle }: RuleRow): string | null {
  if (obstacle !== null) return OBSTACLES[obstacle]
  return fallbackObstacle === null
    ? null
    : `The fallback cannot be carried out: ${OBSTACLES[fallbackObstacle]}`
}
