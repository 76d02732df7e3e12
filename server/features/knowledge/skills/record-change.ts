import type { AuditAction } from '../../../../contract/audit-actions.ts'
import type { PublishedEventType } from '../../../../contract/webhooks/event-types.ts'
import { recordAudit } from '../../../audit/record.ts'
import type { Context } from '../../../context.ts'
import { publish } from '../../../events/publish.ts'

export const publishSkillEvent = (
  ctx: Context,
  type: Extract<PublishedEventType, `skill.${string}`>,
  { id, version, change }: { id: string; version: number; change: string },
): Promise<void> => publish(ctx, { type, data: { skillId: id, version, change, by: ctx.caller.userId } })

export const audit = (
  ctx: Context,
  action: Extract<AuditAction, `skill.${string}`>,
  { id, name }: { id: string; name: string },
): Promise<void> => recordAudit(ctx, { action, by: ctx.caller, target: id, details: { name } })
