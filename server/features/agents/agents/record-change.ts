import type { SettingName } from '../../../../contract/agents/agent-fields.ts'
import { recordAudit } from '../../../audit/record.ts'
import type { Context } from '../../../context.ts'
import { publish } from '../../../events/publish.ts'
import type { NewVersion } from './queries.ts'

const AUDIT_ACTIONS = {
  created: 'agent.created',
  updated: 'agent.updated',
  restored: 'agent.updated',
  archived: 'agent.archived',
  unarchived: 'agent.unarchived',
} as const

/** Publishes and audits a version on its transaction. */
export async function recordChange(
  ctx: Context,
  { id, version, change, settings, by }: NewVersion,
  fields: SettingName[],
): Promise<void> {
  const type = change === 'created' ? 'agent.created' : 'agent.updated'
  const data = { agentId: id, version, by }
  await publish(ctx, { type, data: change === 'created' ? data : { ...data, change, fields } })
  const details = { name: settings.name, ...(fields.length > 0 && { fields: fields.join(', ') }) }
  await recordAudit(ctx, { action: AUDIT_ACTIONS[change], by: ctx.caller, target: id, details })
}
