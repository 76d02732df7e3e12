import type { apiKeys } from '../../../contract/api-keys.ts'
import type { InputOf } from '../../../contract/endpoint.ts'
import type { Caller, Context } from '../../context.ts'
import type { Sql } from '../../database/database.ts'
import type { Touches } from '../../database/touches.ts'
import { forbidden, notFound } from '../../errors.ts'
import { sha256 } from '../../security/digest.ts'
import { newId } from '../../security/ids.ts'
import { randomHex } from '../../security/random.ts'
import { recordAct } from '../accounts/accounts.ts'
import * as queries from './queries.ts'

export { updateKeysUsed } from './queries.ts'

const KEY_FORM = /^atrium_(live|test)_[0-9a-f]{48}$/
const RANDOM_BYTES = 24
const USED_EVERY_MS = 60_000

/** The caller behind a key. Its use is written down later, together with others. */
export async function identifyKey(
  sql: Sql,
  key: string,
  now: Date,
  touches: Touches,
): Promise<Caller | null> {
  const row = KEY_FORM.test(key) ? await queries.findCaller(sql, sha256(key)) : null
  if (!row) return null
  const { id, userId, orgId, workspaceId, role, operator, scopes, lastUsedAt } = row
  if (!lastUsedAt || now.getTime() - Date.parse(lastUsedAt) > USED_EVERY_MS) touches.add(id)
  return {
    via: 'key',
    credentialId: id,
    userId,
    orgId,
    workspaceId,
    role,
    operator,
    scopes,
    stepUpUntil: null,
  }
}

export async function list(ctx: Context) {
  return { items: [...(await queries.listKeys(ctx.sql, ctx.caller.orgId, ctx.caller.userId))] }
}

/** The environment is part of the key: one minted outside production can be told at sight. */
export const createKey =
  (environment: 'live' | 'test') =>
  async (ctx: Context, { name, ...input }: InputOf<typeof apiKeys.create>) => {
    const scopes = [...new Set(input.scopes)]
    const { orgId, userId, role } = ctx.caller
    if (scopes.includes('billing:machine:charge') && role === 'member') {
      throw forbidden('Only owners and admins may mint a key that can charge')
    }
    const prefix = `atrium_${environment}_`
    const key = prefix + randomHex(RANDOM_BYTES)
    const now = ctx.now()
    const row = { id: newId(), name, prefix, lastFour: key.slice(-4), scopes, hash: sha256(key), now }
    await ctx.transaction(async (inside) => {
      await queries.insertKey(inside.sql, orgId, userId, row)
      await recordAct(inside, { action: 'api-key.created', by: ctx.caller, target: row.id })
    })
    return { id: row.id, name, prefix, key, scopes, createdAt: now.toISOString() }
  }

export async function revoke(ctx: Context, { id }: InputOf<typeof apiKeys.revoke>) {
  const { orgId, userId } = ctx.caller
  await ctx.transaction(async (inside) => {
    if (!(await queries.updateRevoked(inside.sql, orgId, userId, id, ctx.now()))) throw notFound('API key')
    await recordAct(inside, { action: 'api-key.revoked', by: ctx.caller, target: id })
  })
  return { revoked: true as const }
}
