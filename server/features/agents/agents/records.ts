import type { z } from 'zod'
import { WEB_DEFAULT } from '../../../../contract/agents/agent-fields.ts'
import type { Agent, AgentSettings } from '../../../../contract/agents/agents.ts'
import type { Caller } from '../../../context.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import { forbidden } from '../../../errors.ts'

type AgentRecord = z.output<typeof Agent>
export type Warnings = AgentRecord['warnings']

/** Settings are from the current version. */
export interface AgentRow {
  id: string
  version: number
  settings: AgentSettings
  createdBy: string | null
  createdAt: string
  updatedAt: string
  archivedAt: string | null
  /** Names the image's bytes. Null without one. */
  imageKey: string | null
}

/** Older versions lack some. */
export const settingsIn = (sql: Sql): Fragment => sql`
  (${sql.json({ web: WEB_DEFAULT, knowledge: [], outputSchema: null })}::jsonb || v.settings)`

/** For agent `a` and its version `v`. */
export const columns = (sql: Sql): Fragment => sql`
  a.id, a.version, ${settingsIn(sql)} as settings, a.created_by as "createdBy", a.created_at as "createdAt", a.updated_at as "updatedAt",
  a.archived_at as "archivedAt", a.image_key as "imageKey"`

export const present = (
  { id, settings, version, createdBy, createdAt, updatedAt, archivedAt, imageKey }: AgentRow,
  warnings: Warnings,
  caller: Pick<Caller, 'userId' | 'role'>,
): AgentRecord => ({
  id,
  ...settings,
  imageUrl: imageUrl(id, imageKey),
  warnings,
  version,
  createdBy,
  createdAt,
  updatedAt,
  archivedAt,
  canEdit: canChange({ createdBy }, caller),
})

export const imageUrl = (agentId: string, imageKey: string | null) =>
  imageKey === null ? null : `/api/v1/agents/${agentId}/image?v=${imageKey}`

/**
 * Other members run a shared agent with their own permissions, so only its creator and those who manage the
 * organization write its instructions. The agent an organization starts with has no creator.
 */
export const canChange = (
  { createdBy }: Pick<AgentRow, 'createdBy'>,
  { userId, role }: Pick<Caller, 'userId' | 'role'>,
): boolean => role !== 'member' || createdBy === userId

export const notAgentEditor = ({ createdBy }: Pick<AgentRow, 'createdBy'>) =>
  forbidden(
    createdBy === null
      ? 'Only admins and owners can change this agent, which every member runs. Create your own agent instead'
      : 'Only this agent’s creator, admins and owners can change it. Create your own agent instead',
    { reason: 'not_creator' },
  )
