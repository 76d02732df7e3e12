import type { z } from 'zod'
import type { Connection } from '../../../../contract/connections/connections.ts'
import type { Context } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { notFound } from '../../../errors.ts'
import { type ConnectorDefinition, findDefinitions } from '../connectors/connectors.ts'
import { type ConnectionRow, findConnection } from './queries.ts'

export type ConnectionRecord = z.output<typeof Connection>

/** Not found for other owners, even if shared. */
export async function findOwn(ctx: Context, id: string): Promise<ConnectionRow> {
  const row = await findConnection(ctx.sql, ctx.caller.orgId, id)
  if (row?.userId !== ctx.caller.userId) throw notFound('Connection')
  return withLapse(row, ctx.now())
}

export const recordOfOwn = async (ctx: Context, id: string): Promise<ConnectionRecord> =>
  present(ctx.sql, ctx.caller.orgId, await findOwn(ctx, id))

const LAPSED = 'It was not completed within 30 minutes'

/** Even before the sweep stores it. */
export function withLapse(row: ConnectionRow, now: Date): ConnectionRow {
  const isLapsed =
    row.status === 'pending' && row.pendingUntil !== null && Date.parse(row.pendingUntil) <= now.getTime()
  return isLapsed ? { ...row, status: 'failed', statusReason: LAPSED } : row
}

export async function present(
  sql: Sql,
  orgId: string,
  row: ConnectionRow,
  heldCount?: number,
): Promise<ConnectionRecord> {
  const [record] = await presentAll(sql, orgId, [row], new Map([[row.id, heldCount ?? 0]]))
  return record!
}

export async function presentAll(
  sql: Sql,
  orgId: string,
  rows: readonly ConnectionRow[],
  held: ReadonlyMap<string, number>,
): Promise<ConnectionRecord[]> {
  const definitions = await findDefinitions(
    sql,
    orgId,
    rows.map(({ slug }) => slug),
  )
  return rows.map((row) => recordOf(row, definitions.get(row.slug), held.get(row.id) ?? 0))
}

function recordOf(
  row: ConnectionRow,
  definition: ConnectorDefinition | undefined,
  heldCount: number,
): ConnectionRecord {
  return {
    id: row.id,
    connectorSlug: row.slug,
    connector: { name: definition?.name ?? row.slug, authType: definition?.auth.type ?? 'none' },
    label: row.label,
    status: row.status,
    statusReason: row.statusReason,
    account: row.account,
    config: row.config,
    scopes: row.scopes,
    missingScopes: row.missingScopes,
    shared: row.shared,
    sharedProjectId: row.sharedProjectId,
    owner: { id: row.userId, name: row.ownerName },
    heldCount,
    expiresAt: row.expiresAt,
    lastUsedAt: row.lastUsedAt,
    lastRefreshAt: row.lastRefreshAt,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    deletedAt: row.deletedAt,
  }
}
