import type { AuditAction } from '../../../../contract/audit-actions.ts'
import type { PublishedEventType } from '../../../../contract/webhooks/event-types.ts'
import { recordAudit } from '../../../audit/record.ts'
import type { Context } from '../../../context.ts'
import { publish } from '../../../events/publish.ts'

interface ChangedMemory {
  id: string
  projectId: string | null
  runId?: string | null
}

/** Only ids, because every member can read the event log. */
export const announce = (
  ctx: Context,
  type: Extract<PublishedEventType, `memory.${string}`>,
  { id, projectId, runId = null }: ChangedMemory,
  extraData: Record<string, string | number> = {},
): Promise<void> =>
  publish(ctx, { type, data: { memoryId: id, projectId, runId, by: ctx.caller.userId, ...extraData } })

/** Admins read the audit log even for private projects, so keys stay out. */
export const audit = (
  ctx: Context,
  action: Extract<AuditAction, `memory.${string}`>,
  { id, projectId, key }: Pick<ChangedMemory, 'id' | 'projectId'> & { key: string },
): Promise<void> =>
  recordAudit(ctx, {
    action,
    by: ctx.caller,
    target: id,
    details: projectId === null ? { name: key } : { projectId },
  })
