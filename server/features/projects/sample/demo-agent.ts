import { agents } from '../../../../contract/agents/agents.ts'
import type { Context } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { createAgent } from '../../agents/agents/agents.ts'
import { readSettings, refusingRule } from '../../organizations/settings/settings.ts'

const MODEL = 'test/script'
/** The examples of the chat page use the same agent. */
const NAME = 'Demo'

/**
 * The agent that plays scripts with the test model; created if there is none. Null if the organization does not allow
 * it.
 */
export async function findOrCreateDemoAgent(ctx: Context): Promise<string | null> {
  const { sql, caller } = ctx
  if (refusingRule(await readSettings(sql, caller), caller.role, MODEL) !== null) return null
  const found = await findDemoAgent(sql, caller.orgId)
  if (found) return found
  const settings = agents.create.body.parse({
    name: NAME,
    emoji: '🎬',
    description: 'Plays scripts with the test model, to show what agents do',
    model: MODEL,
  })
  return (await createAgent(ctx, settings)).id
}

async function findDemoAgent(sql: Sql, orgId: string): Promise<string | null> {
  const [row] = await sql<{ id: string }[]>`
    select a.id from agents a
    join agent_versions v on v.org_id = a.org_id and v.agent_id = a.id and v.version = a.version
    where a.org_id = ${orgId} and a.name = ${NAME} and a.archived_at is null and v.settings ->> 'model' = ${MODEL}
    order by a.id limit 1`
  return row?.id ?? null
}
