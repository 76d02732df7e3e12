import type { approvals } from '../../../../../contract/agents/approvals.ts'
import type { InputOf, OutputOf } from '../../../../../contract/endpoint.ts'
import { recordAudit } from '../../../../audit/record.ts'
import type { Context } from '../../../../context.ts'
import { notFound, viewOnly } from '../../../../errors.ts'
import { canEditSomewhere } from '../../../organizations/membership/membership.ts'
import { canChange, findAgent, notAgentEditor } from '../../agents/agents.ts'
import { agentName } from './approval-list-queries.ts'

type Grant = OutputOf<typeof approvals.grants>['items'][number]

export async function listGrants({ sql, caller }: Context, { agentId }: InputOf<typeof approvals.grants>) {
  const items = await sql<Grant[]>`
    select a.id, a.agent_id as "agentId", ${agentName(sql, sql`a.org_id`, sql`a.agent_id`)} as "agentName",
      a.session_id as "sessionId", a.tool, a.risk, a.granted_by as "grantedBy",
      (select u.name from users u where u.id = a.granted_by) as "grantedByName", a.granted_at as "grantedAt"
    from approval_grants a where a.org_id = ${caller.orgId} ${agentId ? sql`and a.agent_id = ${agentId}` : sql``}
    order by a.id desc limit 1000`
  return { items: [...items] }
}

export const revokeGrant = (ctx: Context, { id }: InputOf<typeof approvals.revokeGrant>) =>
  ctx.transaction(async (inside) => {
    const { sql, caller } = inside
    const [editor] = await sql<{ allowed: boolean }[]>`select ${canEditSomewhere(sql, caller)} as allowed`
    if (!editor!.allowed) throw viewOnly()
    const [row] = await sql<{ tool: string; agentId: string; grantedBy: string }[]>`
      delete from approval_grants where org_id = ${caller.orgId} and id = ${id}
      returning tool, agent_id as "agentId", granted_by as "grantedBy"`
    if (!row) throw notFound('Approval grant')
    const agent = await findAgent(sql, caller.orgId, row.agentId)
    if (row.grantedBy !== caller.userId && !canChange(agent!, caller)) throw notAgentEditor(agent!)
    await recordAudit(inside, {
      action: 'approval-grant.revoked',
      by: caller,
      target: id,
      details: { tool: row.tool },
    })
    return { id, deleted: true as const }
  })
