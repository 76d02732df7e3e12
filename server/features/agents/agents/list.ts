import {
  AGENT_TEMPLATE_NAMES,
  AGENT_TEMPLATES,
  toTemplateSettings,
} from '../../../../contract/agents/agent-templates.ts'
import type { agents } from '../../../../contract/agents/agents.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import type { Context } from '../../../context.ts'
import { decodeCursor, encodeCursor } from '../../../database/cursor.ts'
import { toLikePattern } from '../../../database/name-keys.ts'
import { firstIdAt } from '../../../database/time-partitions.ts'
import { listActivity } from './activity-queries.ts'
import * as queries from './list-queries.ts'
import { imageUrl, present } from './records.ts'
import type { WarningsOf } from './warnings.ts'

export async function listAgents(
  ctx: Context<'hooks' | 'vault'>,
  input: InputOf<typeof agents.list>,
  warningsOf: WarningsOf,
) {
  const { orgId } = ctx.caller
  const { limit, cursor, q, sort, archived } = input
  const scope = JSON.stringify(['agents', orgId, q, sort, archived])
  const after = decodeCursor(ctx.vault, scope, cursor)
  const filter = { archived, sort, pattern: q === undefined ? null : toLikePattern(q) }
  const position = { after: after === null ? null : parsePosition(after), limit: limit + 1 }
  const rows = await queries.listAgents(ctx.sql, orgId, filter, position)
  const page = rows.slice(0, limit)
  const warnings = await warningsOf(ctx, page)
  const last = page.at(-1)
  return {
    items: page.map((row, index) => present(row, warnings[index]!, ctx.caller)),
    nextCursor:
      rows.length > limit && last ? encodeCursor(ctx.vault, scope, `${last.id} ${last.sortKey}`) : null,
  }
}

function parsePosition(text: string): queries.Position {
  const end = text.indexOf(' ')
  return { id: text.slice(0, end), sortKey: text.slice(end + 1) }
}

const DAYS = 14
const DAY_MS = 86_400_000

export async function readActivity(ctx: Context, { agentId }: InputOf<typeof agents.activity>) {
  const to = toDay(ctx.now())
  const from = toDay(new Date(Date.parse(to) - (DAYS - 1) * DAY_MS))
  const since = { from, firstRunId: firstIdAt(new Date(from)) }
  return { from, to, items: await listActivity(ctx.sql, ctx.caller.orgId, agentId ?? null, since) }
}

const toDay = (time: Date) => time.toISOString().slice(0, 10)

export const listTemplates = async () => ({
  items: AGENT_TEMPLATE_NAMES.map((id) => ({
    id,
    settings: toTemplateSettings(id),
    examples: [...AGENT_TEMPLATES[id].examples],
  })),
})

export async function listFaces(ctx: Context) {
  const rows = await queries.listFaces(ctx.sql, ctx.caller.orgId)
  const items = rows.map(({ agentId, emoji, imageKey }) => ({
    agentId,
    emoji,
    imageUrl: imageUrl(agentId, imageKey),
  }))
  return { items }
}
