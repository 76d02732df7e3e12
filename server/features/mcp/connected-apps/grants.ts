import type { InputOf } from '../../../../contract/endpoint.ts'
import type { connectedApps } from '../../../../contract/mcp/connected-apps.ts'
import { recordAudit } from '../../../audit/record.ts'
import type { Caller, Context, PublicContext } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import type { LastUsedBuffer } from '../../../database/last-used-buffer.ts'
import { notFound } from '../../../errors.ts'
import { sha256 } from '../../../security/digest.ts'
import * as queries from './grant-queries.ts'
import { ACCESS_PREFIX } from './tokens/issue.ts'

const LAST_USED_INTERVAL_MS = 60_000

export async function list(ctx: Context) {
  const { orgId, userId } = ctx.caller
  return { items: [...(await queries.listGrants(ctx.sql, orgId, userId, ctx.now()))] }
}

export async function revoke(ctx: Context, { id }: InputOf<typeof connectedApps.revoke>) {
  const { orgId, userId } = ctx.caller
  await ctx.transaction(async (inside) => {
    const revoked = await queries.updateRevoked(inside.sql, orgId, { id, userId, now: ctx.now() })
    if (!revoked) throw notFound('Connected app')
    const { name, host } = revoked
    await recordAudit(inside, {
      action: 'app.disconnected',
      by: ctx.caller,
      target: id,
      details: { name, host },
    })
  })
  return { revoked: true as const }
}

/** By the app, or because a secret was misused. Must run inside a transaction. */
export async function disconnect(
  inside: Pick<PublicContext, 'sql' | 'now' | 'origin'>,
  { orgId }: { orgId: string },
  { id, why }: { id: string; why: 'app' | 'code refused' | 'code used twice' | 'refresh token used twice' },
): Promise<void> {
  const revoked = await queries.updateRevoked(inside.sql, orgId, { id, userId: null, now: inside.now() })
  if (!revoked) return
  const { userId, name, host } = revoked
  await recordAudit(inside, {
    action: 'app.disconnected',
    by: { orgId, userId, via: why === 'app' ? 'app' : 'system' },
    target: id,
    details: { name, host, ...(why !== 'app' && { why }) },
  })
}

export interface IdentifiedApp {
  caller: Caller
  access: 'read' | 'write'
  client: string
  /** The only readable project. Null for all the member's projects. */
  projectId: string | null
  callTools: readonly string[]
}

/** The time used is written later, in a batch. */
export async function identifyApp(
  sql: Sql,
  token: string,
  now: Date,
  lastUsed: LastUsedBuffer,
): Promise<IdentifiedApp | null> {
  if (!token.startsWith(ACCESS_PREFIX)) return null
  const row = await queries.findGrantCaller(sql, sha256(token), now)
  if (!row) return null
  const { id, userId, orgId, workspaceId, role, access, lastUsedAt } = row
  if (!lastUsedAt || now.getTime() - Date.parse(lastUsedAt) > LAST_USED_INTERVAL_MS) lastUsed.add(id)
  return {
    caller: {
      via: 'app',
      credentialId: id,
      userId,
      orgId,
      workspaceId,
      role,
      // An app acts in one organization and never as operator.
      operator: false,
      scopes: ['models:read', access === 'write' ? 'files:write' : 'files:read'],
      ...(access === 'read' && { readOnly: true }),
      stepUpUntil: null,
      stepUpMethods: [],
    },
    access,
    client: row.clientName,
    projectId: row.projectId,
    callTools: row.tools,
  }
}
