import type { z } from 'zod'
import type { Agent, AgentSettings } from '../../../contract/agents/agents.ts'
import type { Fragment, Sql } from '../../database/database.ts'

type AgentRecord = z.output<typeof Agent>
export type Warnings = AgentRecord['warnings']

/** An agent with the settings of its current version. */
export interface AgentRow {
  id: string
  version: number
  settings: AgentSettings
  createdBy: string | null
  createdAt: string
  updatedAt: string
  archivedAt: string | null
}

/** The columns of the agent `a` and its version `v`. */
export const columns = (sql: Sql): Fragment => sql`
  a.id, a.version, v.settings, a.created_by as "createdBy", a.created_at as "createdAt", a.updated_at as "updatedAt",
  a.archived_at as "archivedAt"`

export const present = (
  { id, settings, version, createdBy, createdAt, updatedAt, archivedAt }: AgentRow,
  warnings: Warnings,
): AgentRecord => ({
  id,
  ...settings,
  warnings,
  version,
  createdBy,
  createdAt,
  updatedAt,
  archivedAt,
})
