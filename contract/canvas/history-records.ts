import { z } from 'zod'
import { Id, Timestamp } from '../fields.ts'

export const CanvasChange = z.object({
  seq: z.int().describe('Sequence number of the change, per canvas'),
  entity: z.enum(['block', 'edge']),
  itemId: Id,
  action: z.enum(['created', 'updated', 'moved', 'deleted']),
  before: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe('Previous state; for an update, only the changed fields'),
  after: z.record(z.string(), z.unknown()).nullable(),
  by: z.object({ id: Id, name: z.string() }).nullable().describe('Null for a share link guest'),
  runId: Id.nullable(),
  createdAt: Timestamp,
})

export const HistoryEntry = CanvasChange.extend({
  restorable: z
    .boolean()
    .describe(
      'Whether the canvas can be restored to this change; in a pruned part, only snapshots can be restored',
    ),
})

export const Snapshot = z.object({
  id: Id,
  name: z.string().nullable(),
  reason: z
    .enum(['manual', 'restore', 'run', 'history', 'snapshot', 'prune'])
    .describe(
      'Why it was created: manually, before a restore from a manifest, a run, the history or a snapshot, or as the oldest complete state in a pruned history',
    ),
  seq: z.int().describe('Last change that it includes'),
  createdBy: z.object({ id: Id, name: z.string() }).nullable(),
  createdAt: Timestamp,
})
