import type { Role } from '../../../../contract/accounts/accounts.ts'
import { apiKeys as endpoints } from '../../../../contract/accounts/api-keys.ts'
import { KEY_USAGE_DAYS } from '../../../../contract/accounts/key-abilities.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import { recordAudit } from '../../../audit/record.ts'
import type { Caller, Context } from '../../../context.ts'
import { requireStepUp } from '../../../endpoint/permit.ts'
import { handle } from '../../../endpoint/route.ts'
import { badField, forbidden, notFound, raise, unauthorized } from '../../../errors.ts'
import { publish, publishIn } from '../../../events/publish.ts'
import type { Feature } from '../../../feature.ts'
import { sha256 } from '../../../security/digest.ts'
import { newId } from '../../../security/ids.ts'
import { randomHex } from '../../../security/random.ts'
import { keyJobs, keySchedules } from './expiry.ts'
import type { KeyUseRecorder } from './key-use.ts'
import * as queries from './queries.ts'

export { createKeyUseRecorder } from './key-use.ts'
export { addKeyUses, findCallers, isKeyActive, listKeyNames } from './queries.ts'

/** API keys: creation, scopes, limits, use and revocation. */
export const apiKeys = (options: { environment: KeyEnvironment }): Feature => ({
  routes: apiKeyRoutes(options.environment),
  jobs: keyJobs,
  schedules: keySchedules,
})

const apiKeyRoutes = (environment: KeyEnvironment) => [
  handle(endpoints.list, list),
  handle(endpoints.create, createKey(environment)),
  handle(endpoints.update, updateKey),
  handle(endpoints.revoke, revoke),
]

const KEY_PATTERN = /^atrium_(live|test)_[0-9a-f]{48}$/
const RANDOM_BYTES = 24
const DAY_MS = 86_400_000

/** Throws for an expired key, so the error says why it's refused. The use is written later, in a batch. */
export async function identifyKey(
  find: (hash: Buffer) => Promise<queries.KeyCaller | null>,
  { text, hash }: { text: string; hash: Buffer },
  now: Date,
  recorder?: KeyUseRecorder,
  address = 'unknown',
): Promise<Caller | null> {
  const row = KEY_PATTERN.test(text) ? await find(hash) : null
  if (!row) return null
  const { id, userId, orgId, workspaceId, role, operator, scopes, readOnly, expiresAt } = row
  if (expiresAt !== null && Date.parse(expiresAt) <= now.getTime())
    throw unauthorized(`The API key expired at ${expiresAt}: create another one in the dashboard`, {
      reason: 'key_expired',
    })
  recorder?.add(row, address)
  return {
    via: 'key',
    credentialId: id,
    userId,
    orgId,
    workspaceId,
    role,
    operator,
    scopes,
    readOnly,
    stepUpUntil: null,
    stepUpMethods: [],
  }
}

async function list({ sql, caller, now }: Context) {
  const days = usageDays(now())
  const rows = await queries.listKeys(sql, caller.orgId, caller.userId, days.since)
  return { items: rows.map((row) => present(row, days)) }
}

interface UsageDays {
  since: Date
  /** Oldest first. */
  names: string[]
}

function usageDays(now: Date): UsageDays {
  const ago = (days: number) => new Date(now.getTime() - days * DAY_MS)
  const names = Array.from({ length: KEY_USAGE_DAYS }, (_, at) => nameOf(ago(KEY_USAGE_DAYS - 1 - at)))
  return { since: ago(KEY_USAGE_DAYS - 1), names }
}

const nameOf = (day: Date) => day.toISOString().slice(0, 10)

const present = ({ days, ...row }: queries.KeyRow, { names }: UsageDays) => ({
  id: row.id,
  name: row.name,
  prefix: row.prefix,
  lastFour: row.lastFour,
  scopes: row.scopes,
  readOnly: row.readOnly,
  expiresAt: row.expiresAt,
  lastUsedAt: row.lastUsedAt,
  lastUsedAddress: row.lastUsedAddress,
  callsPerDay: names.map((name) => days[name] ?? 0),
  createdAt: row.createdAt,
})

const createKey =
  (environment: KeyEnvironment) =>
  async (ctx: Context<'quotas'>, { expiresAt, ...fields }: InputOf<typeof endpoints.create>) => {
    requireMayCharge(fields.scopes, ctx.caller)
    if (expiresAt !== null && Date.parse(expiresAt) <= ctx.now().getTime())
      throw badField('body.expiresAt', 'must be in the future')
    const key = { ...fields, expiresAt: expiresAt && new Date(expiresAt).toISOString() }
    return ctx.transaction((inside) => mintKey(inside, environment, ctx.caller, key))
  }

/** Part of the key, so a non-production key is recognizable. */
export type KeyEnvironment = 'live' | 'test'

interface KeyOptions {
  name: string
  scopes: readonly string[]
  readOnly: boolean
  expiresAt?: string | null
}

/** Returns the key's only copy. Must run inside a transaction. */
export async function mintKey(
  ctx: Pick<Context<'quotas'>, 'sql' | 'now' | 'origin' | 'quotas'>,
  environment: KeyEnvironment,
  owner: Pick<Caller, 'orgId' | 'userId' | 'via'>,
  { name, readOnly, expiresAt = null, scopes: requestedScopes }: KeyOptions,
) {
  const prefix = `atrium_${environment}_`
  const key = prefix + randomHex(RANDOM_BYTES)
  const id = newId()
  const now = ctx.now()
  const scopes = [...new Set(requestedScopes)]
  const row = {
    id,
    name,
    prefix,
    lastFour: key.slice(-4),
    scopes,
    readOnly,
    expiresAt,
    hash: sha256(key),
    now,
  }
  await queries.insertKey(ctx.sql, owner.orgId, owner.userId, row)
  await ctx.quotas.requireWithin(ctx.sql, owner.orgId, 'keys', now)
  await recordAudit(ctx, {
    action: 'api-key.created',
    by: owner,
    target: id,
    details: { name, ...(readOnly && { readOnly: 'true' }), ...(expiresAt && { expiresAt }) },
  })
  const data = { keyId: id, by: owner.userId }
  await publishIn(ctx.sql, owner.orgId, now, { type: 'key.created', data })
  return { id, name, prefix, key, scopes, readOnly, expiresAt, createdAt: now.toISOString() }
}

/** Renaming needs write access to keys. Changing scopes also needs step-up. */
async function updateKey(ctx: Context, { id, name, scopes }: InputOf<typeof endpoints.update>) {
  const { caller } = ctx
  const { orgId, userId } = caller
  const before = (await queries.findKey(ctx.sql, orgId, userId, id)) ?? raise(notFound('API key'))
  const changesScopes = scopes !== undefined && !isSameSet(scopes, before.scopes)
  if (changesScopes) {
    requireStepUp(caller, 'Changing an API key’s scopes', ctx.now())
    requireMayCharge(scopes, caller)
  }
  const change = { id, name: name ?? null, scopes: changesScopes ? [...new Set(scopes)] : null }
  const days = usageDays(ctx.now())
  return ctx.transaction(async (inside) => {
    const after =
      (await queries.updateKey(inside.sql, orgId, userId, change, days.since)) ?? raise(notFound('API key'))
    const details: Record<string, string> = changesScopes
      ? { scopes: scopes.join(' ') }
      : { name: after.name }
    await recordAudit(inside, { action: 'api-key.updated', by: caller, target: id, details })
    await publish(inside, { type: 'key.updated', data: { keyId: id, by: userId } })
    return present(after, days)
  })
}

const isSameSet = (left: readonly string[], right: readonly string[]) =>
  new Set(left).size === right.length && left.every((entry) => right.includes(entry))

/** Only owners and admins may create a key that can charge the organization. */
export const mayCharge = (scopes: readonly string[], role: Role): boolean =>
  !scopes.includes('billing:machine:charge') || role !== 'member'

export function requireMayCharge(scopes: readonly string[], { role }: Pick<Caller, 'role'>): void {
  if (!mayCharge(scopes, role)) throw forbidden('Only owners and admins can have a key that can charge')
}

async function revoke(ctx: Context, { id }: InputOf<typeof endpoints.revoke>) {
  const { orgId, userId } = ctx.caller
  await ctx.transaction(async (inside) => {
    const name = await queries.updateRevoked(inside.sql, orgId, userId, id, ctx.now())
    if (name === null) throw notFound('API key')
    await recordAudit(inside, { action: 'api-key.revoked', by: ctx.caller, target: id, details: { name } })
    await publish(inside, { type: 'key.revoked', data: { keyId: id, by: userId } })
  })
  return { revoked: true as const }
}
