import type { z } from 'zod'
import type { RuleAction, RuleMatch } from '../../../../contract/telephony/telephony-fields.ts'
import type { RoutingRule } from '../../../../contract/telephony/telephony-records.ts'

export interface RuleRow {
  id: string
  name: string
  priority: number
  enabled: boolean
  match: Match
  action: StoredAction
  fallback: StoredAction
  ownerId: string
  ownerName: string
  createdAt: string
  updatedAt: string
  obstacle: Obstacle | null
  fallbackObstacle: Obstacle | null
}

export type AnsweringRule = Omit<RuleRow, 'ownerName' | 'createdAt' | 'updatedAt'>

/** A workflow action includes its block's project. */
export type StoredAction = z.output<typeof RuleAction> & { projectId?: string }

export type Match = z.output<typeof RuleMatch>

export interface MatchedRule {
  enabled: boolean
  match: Match
}

export interface IncomingContact {
  channel: 'voice' | 'sms'
  numberId: string
  from: string
  /** Only for text messages. */
  text: string | null
  at: Date
}

/** Answers if no rule applies, or neither its action nor its fallback can be carried out. */
export const DEFAULT_ACTION: StoredAction = {
  type: 'reject',
  message: 'We cannot take your call at the moment. Please try again later. Goodbye.',
}

/** Shown to users. */
export const OBSTACLES = {
  owner_left: 'The member who last changed the rule has left the organization.',
  access_lost: 'The member who last changed the rule cannot edit the project.',
  project_deleted: 'The number’s project is deleted.',
  agent_missing: 'The agent is archived or deleted.',
  block_missing: 'The block is deleted.',
} as const

export type Obstacle = keyof typeof OBSTACLES

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

/** The API doesn't return the block's project. */
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
