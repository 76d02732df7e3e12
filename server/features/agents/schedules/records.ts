import type { z } from 'zod'
import { describeCron } from '../../../../contract/agents/describe-cron.ts'
import { PAUSE_REASONS, type PauseReason } from '../../../../contract/agents/schedule-options.ts'
import type { Schedule } from '../../../../contract/agents/schedules.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import { timesAfter } from './cron.ts'

type ScheduleRecord = z.output<typeof Schedule>

export interface ScheduleRow {
  orgId: string
  id: string
  name: string
  projectId: string
  agentId: string | null
  message: string | null
  blockId: string | null
  cron: string
  timeZone: string
  enabled: boolean
  pausedReason: PauseReason | null
  pausedAt: string | null
  nextRunAt: string | null
  lease: number
  lastRunAt: string | null
  lastOutcome: 'started' | 'skipped' | 'failed' | null
  lastError: string | null
  lastRunId: string | null
  ownerId: string
  keyId: string | null
  createdBy: string
  createdAt: string
  updatedAt: string
}

/** For the schedule `s`. */
export const columns = (sql: Sql): Fragment => sql`
  s.org_id as "orgId", s.id, s.name, s.project_id as "projectId", s.agent_id as "agentId", s.message,
  s.block_id as "blockId", s.cron, s.time_zone as "timeZone", s.enabled, s.paused_reason as "pausedReason",
  s.paused_at as "pausedAt", s.next_run_at as "nextRunAt", s.lease, s.last_run_at as "lastRunAt",
  s.last_outcome as "lastOutcome", s.last_error as "lastError", s.last_run_id as "lastRunId", s.owner_id as "ownerId",
  s.key_id as "keyId", s.created_by as "createdBy", s.created_at as "createdAt", s.updated_at as "updatedAt"`

export interface ScheduleView extends ScheduleRow {
  projectName: string
  agentName: string | null
  ownerName: string
  lastStatus: NonNullable<ScheduleRecord['lastRun']>['status'] | null
  obstacle: PauseReason | null
  access: 'view' | 'edit'
}

const NEXT_SHOWN = 3

export function present(row: ScheduleView, now: Date): ScheduleRecord {
  const reason = row.enabled ? (row.pausedReason ?? row.obstacle) : null
  const isActive = row.enabled && reason === null
  const from = row.nextRunAt === null ? now : new Date(Math.max(now.getTime(), Date.parse(row.nextRunAt) - 1))
  return {
    id: row.id,
    name: row.name,
    projectId: row.projectId,
    projectName: row.projectName,
    agentId: row.agentId,
    agentName: row.agentName,
    message: row.message,
    blockId: row.blockId,
    cron: row.cron,
    timeZone: row.timeZone,
    description: describeCron(row.cron),
    enabled: row.enabled,
    paused: reason && { reason, message: PAUSE_REASONS[reason], at: row.pausedAt },
    nextRunAt: isActive ? row.nextRunAt : null,
    nextRuns: isActive ? timesAfter(row, from, NEXT_SHOWN).map((time) => time.toISOString()) : [],
    lastRunAt: row.lastRunAt,
    lastOutcome: row.lastOutcome,
    lastError: row.lastError,
    lastRun: row.lastRunId && row.lastStatus ? { id: row.lastRunId, status: row.lastStatus } : null,
    runsAs: { userId: row.ownerId, name: row.ownerName, keyId: row.keyId },
    canEdit: row.access === 'edit',
    createdBy: row.createdBy,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  }
}
