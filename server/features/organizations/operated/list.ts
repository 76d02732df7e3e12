import type { InputOf } from '../../../../contract/endpoint.ts'
import type { operatedOrganizations } from '../../../../contract/organizations/operated.ts'
import type { Context } from '../../../context.ts'
import { decodeCursor, encodeCursor } from '../../../database/cursor.ts'
import { listRows, type OrganizationRow, type Position } from './organization-queries.ts'

export async function listOrganizations(ctx: Context, input: InputOf<typeof operatedOrganizations.list>) {
  const { search, status, sort, limit, cursor } = input
  const list = `operated organizations ${JSON.stringify([search, status, sort])}`
  const after = positionOf(decodeCursor(ctx.vault, list, cursor))
  const rows = await listRows(ctx.sql, { search, status, sort, after, limit: limit + 1 })
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const hasMore = rows.length > limit && last
  return {
    items: page.map((row) => present(ctx, row)),
    nextCursor: hasMore ? encodeCursor(ctx.vault, list, JSON.stringify([last.key, last.id])) : null,
  }
}

function positionOf(text: string | null): Position | null {
  if (text === null) return null
  const [key, id] = JSON.parse(text) as [string, string]
  return { key, id }
}

export function present({ quotas }: Pick<Context, 'quotas'>, row: OrganizationRow) {
  const allowed = quotas.limitsOf(row.overrides)
  const { members, runs, spend, activeAt, countedAt } = row
  return {
    id: row.id,
    name: row.name,
    status: row.status,
    usage: {
      members,
      projects: { used: row.projects, allowed: allowed.projects },
      files: { used: row.files, allowed: allowed.files },
      storage: { used: row.storage, allowed: allowed.storage },
      runs,
      spend,
      activeAt,
      countedAt,
    },
    overrideCount: Object.keys(row.overrides).length,
    createdAt: row.createdAt,
  }
}
