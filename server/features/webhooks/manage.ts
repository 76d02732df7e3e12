import type { InputOf } from '../../../contract/endpoint.ts'
import type { webhooks } from '../../../contract/webhooks/webhooks.ts'
import { recordAudit } from '../../audit/record.ts'
import type { Context } from '../../context.ts'
import { reply } from '../../endpoint/route.ts'
import { badField, notFound, raise, stale } from '../../errors.ts'
import { notifyEventStreams } from '../../events/publish.ts'
import { newId } from '../../security/ids.ts'
import { applyStatus, cancelPending, retarget } from './deliver/pending-deliveries.ts'
import * as queries from './queries.ts'
import { deleteAccounts } from './receive/receivers.ts'
import { present } from './records.ts'
import { makeSecret, sealSecret } from './secrets.ts'
import { normalizeEvents, PLATFORM_SOURCE, schemeAfter, schemeFor, validateForwardUrl } from './settings.ts'

export async function listWebhooks(ctx: Context) {
  const rows = await queries.listWebhooks(ctx.sql, ctx.caller.orgId, ctx.now())
  return { items: rows.map((row) => present(row, ctx.origin)) }
}

export async function getWebhook(ctx: Context, { id }: InputOf<typeof webhooks.get>) {
  const row = await findWebhook(ctx, id)
  return reply(present(row, ctx.origin), { version: row.version })
}

/** For what only belongs to the webhook. */
export const requireWebhook = async ({ sql, caller }: Context, id: string) =>
  (await queries.findWebhookName(sql, caller.orgId, id)) ?? raise(notFound('Webhook'))

export const findWebhook = async (ctx: Context, id: string) =>
  (await queries.findWebhook(ctx.sql, ctx.caller.orgId, id, ctx.now())) ?? raise(notFound('Webhook'))

export async function createWebhook(
  ctx: Context<'outbound' | 'quotas' | 'vault'>,
  input: InputOf<typeof webhooks.create>,
) {
  const { name, events = [], source = PLATFORM_SOURCE, description = null, secret = makeSecret() } = input
  const { receives = true } = input
  const url = await validateForwardUrl(ctx, input.url)
  requirePurpose({ url, receives })
  const id = newId()
  const { sealed, hash } = sealSecret(ctx.vault, id, secret)
  const webhook = {
    id,
    name,
    url,
    receives,
    source,
    scheme: schemeFor(source, input.scheme, 'auto'),
    dedupWindowSeconds: input.dedupWindowSeconds,
    description,
    events: normalizeEvents(events, source),
    secretSealed: sealed,
    secretHash: hash,
    createdBy: ctx.caller.userId,
    now: ctx.now(),
  }
  return ctx.transaction(async (inside) => {
    await queries.insertWebhook(inside.sql, ctx.caller.orgId, webhook)
    await ctx.quotas.requireWithin(inside.sql, ctx.caller.orgId, 'webhooks', ctx.now())
    await recordAudit(inside, { action: 'webhook.created', by: ctx.caller, target: id, details: { name } })
    return { ...present(await findWebhook(inside, id), ctx.origin), secret }
  })
}

/** Pending deliveries are held, resumed, retargeted or canceled. */
export async function updateWebhook(ctx: Context<'outbound'>, input: InputOf<typeof webhooks.update>) {
  const { orgId } = ctx.caller
  const { id, ifMatch, enabled, url, events, ...changes } = input
  const forwardUrl = await validateForwardUrl(ctx, url)
  return ctx.transaction(async (inside) => {
    const before = (await queries.lockWebhook(inside.sql, orgId, id)) ?? raise(notFound('Webhook'))
    if (ifMatch !== undefined && ifMatch !== String(before.version)) throw stale()
    const status = statusOf(changes.status, enabled) ?? before.status
    const source = changes.source ?? before.source
    const after = {
      name: changes.name ?? before.name,
      url: url === undefined ? before.url : forwardUrl,
      receives: changes.receives ?? before.receives,
      source,
      scheme: schemeAfter(before, changes),
      dedupWindowSeconds: changes.dedupWindowSeconds ?? before.dedupWindowSeconds,
      description: changes.description === undefined ? before.description : changes.description,
      events: normalizeEvents(events ?? before.events, source),
      status,
      disabledReason: status === 'disabled' ? before.disabledReason : null,
    }
    requirePurpose(after)
    await queries.updateWebhook(inside.sql, orgId, id, after, ctx.now())
    if (after.url !== before.url) await retarget(inside, id, after.url)
    if (status !== before.status) await applyStatus(inside, id, status)
    if (status === 'disabled') notifyEventStreams(inside.sql, orgId)
    await recordAudit(inside, {
      action: 'webhook.updated',
      by: ctx.caller,
      target: id,
      details: { name: after.name },
    })
    const row = await findWebhook(inside, id)
    return reply(present(row, ctx.origin), { version: row.version })
  })
}

function requirePurpose({ url, receives }: Pick<queries.Settings, 'url' | 'receives'>) {
  if (url === null && !receives) throw badField('body.url', 'must be set for a webhook that does not receive')
}

type Status = queries.LockedWebhook['status']

function statusOf(status: Status | undefined, enabled: boolean | undefined): Status | undefined {
  if (enabled === undefined) return status
  if (status !== undefined && (status === 'active') !== enabled) {
    throw badField('body.enabled', `contradicts the status ${status}`)
  }
  return status ?? (enabled ? 'active' : 'paused')
}

const SECOND_MS = 1000

export async function rotateSecret(ctx: Context<'vault'>, input: InputOf<typeof webhooks.rotate>) {
  const { orgId } = ctx.caller
  const { id, gracePeriodSeconds: grace, secret = makeSecret() } = input
  const { sealed, hash } = sealSecret(ctx.vault, id, secret)
  const now = ctx.now()
  const previousUntil = grace > 0 ? new Date(now.getTime() + grace * SECOND_MS) : null
  return ctx.transaction(async (inside) => {
    const { name } = (await queries.lockWebhook(inside.sql, orgId, id)) ?? raise(notFound('Webhook'))
    await queries.updateSecret(inside.sql, orgId, id, { sealed, hash, previousUntil, now })
    await deleteAccounts(inside.sql, orgId, id)
    await recordAudit(inside, { action: 'webhook.rotated', by: ctx.caller, target: id, details: { name } })
    return { ...present(await findWebhook(inside, id), ctx.origin), secret }
  })
}

/** Received events stay in the log. */
export async function deleteWebhook(ctx: Context, { id }: InputOf<typeof webhooks.remove>) {
  return ctx.transaction(async (inside) => {
    const { orgId } = ctx.caller
    const { name } = (await queries.lockWebhook(inside.sql, orgId, id)) ?? raise(notFound('Webhook'))
    await cancelPending(inside, id)
    await queries.deleteWebhook(inside.sql, orgId, id)
    notifyEventStreams(inside.sql, orgId)
    await recordAudit(inside, { action: 'webhook.deleted', by: ctx.caller, target: id, details: { name } })
    return { deleted: true as const }
  })
}
