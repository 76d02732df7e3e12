import type { z } from 'zod'
import {
  SOURCE_PAUSES,
  type SourceKind,
  type SourcePause,
} from '../../../../contract/knowledge/source-options.ts'
import type { KnowledgeSource } from '../../../../contract/knowledge/sources.ts'
import type { Fragment, Sql } from '../../../database/database.ts'
import type { Json } from './providers/provider.ts'

export interface SourceRow {
  orgId: string
  id: string
  projectId: string
  folderId: string
  kind: SourceKind
  name: string
  settings: Record<string, unknown>
  connectionId: string | null
  intervalMinutes: number
  enabled: boolean
  pausedReason: SourcePause | null
  pausedDetail: string | null
  pausedAt: string | null
  cursor: Json
  progress: Progress | null
  pass: number
  itemCount: number
  nextSyncAt: string | null
  lease: number
  requested: boolean
  failures: number
  lastError: string | null
  lastSyncedAt: string | null
  ownerId: string
  createdBy: string
  createdAt: string
  updatedAt: string
}

/** A sync that any worker can continue. */
export interface Progress {
  syncId: string
  /** What is left to list. Null: everything is listed, and what wasn't found is removed. */
  listing: Json
  /** For the next sync. */
  cursor: Json
  /** Items found so far. */
  found: number
}

/** For the source `s`. */
export const columns = (sql: Sql): Fragment => sql`
  s.org_id as "orgId", s.id, s.project_id as "projectId", s.folder_id as "folderId", s.kind, s.name, s.settings,
  s.connection_id as "connectionId", s.interval_minutes as "intervalMinutes", s.enabled,
  s.paused_reason as "pausedReason", s.paused_detail as "pausedDetail", s.paused_at as "pausedAt", s.cursor, s.progress,
  s.pass, s.item_count as "itemCount", s.next_sync_at as "nextSyncAt", s.lease, s.requested, s.failures,
  s.last_error as "lastError", s.last_synced_at as "lastSyncedAt", s.owner_id as "ownerId",
  s.created_by as "createdBy", s.created_at as "createdAt", s.updated_at as "updatedAt"`

export interface SyncRow {
  id: string
  trigger: 'schedule' | 'manual'
  outcome: 'running' | 'succeeded' | 'failed' | 'paused'
  error: string | null
  added: number
  changed: number
  removed: number
  skipped: number
  bytes: number
  startedAt: string
  endedAt: string | null
}

export interface SourceView extends SourceRow {
  projectName: string
  ownerName: string
  connectionLabel: string | null
  access: 'view' | 'edit'
  sync: SyncRow | null
}

export const present = (row: SourceView): z.output<typeof KnowledgeSource> => ({
  id: row.id,
  kind: row.kind,
  name: row.name,
  projectId: row.projectId,
  projectName: row.projectName,
  folderId: row.folderId,
  connectionId: row.connectionId,
  connectionLabel: row.connectionLabel,
  settings: row.settings,
  intervalMinutes: row.intervalMinutes,
  enabled: row.enabled,
  state: stateOf(row),
  paused:
    row.pausedReason === null
      ? null
      : {
          reason: row.pausedReason,
          message: SOURCE_PAUSES[row.pausedReason],
          detail: row.pausedDetail,
          at: row.pausedAt!,
        },
  lastError: row.lastError,
  lastSyncedAt: row.lastSyncedAt,
  nextSyncAt: row.enabled && row.pausedReason === null ? row.nextSyncAt : null,
  itemCount: row.itemCount,
  sync: row.sync,
  actsAs: { userId: row.ownerId, name: row.ownerName },
  canEdit: row.access === 'edit',
  createdBy: row.createdBy,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
})

function stateOf({ enabled, pausedReason, progress, failures }: SourceRow) {
  if (!enabled) return 'off'
  if (pausedReason !== null) return 'paused'
  if (failures > 0) return 'failing'
  return progress === null ? 'waiting' : 'syncing'
}
