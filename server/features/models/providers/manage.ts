import type { InputOf } from '../../../../contract/endpoint.ts'
import type { modelProviders } from '../../../../contract/models/model-providers.ts'
import { DEFAULT_URLS, type ProviderKind } from '../../../../contract/models/providers.ts'
import { recordAudit } from '../../../audit/record.ts'
import type { Context } from '../../../context.ts'
import { reply } from '../../../endpoint/route.ts'
import { badField, conflict, notFound, raise, stale } from '../../../errors.ts'
import type { Models } from '../../../language-models/models.ts'
import { newId } from '../../../security/ids.ts'
import * as queries from './queries.ts'
import { openProvider, present, sealKey } from './records.ts'

const SLUG_LENGTH_MAX = 40

export async function listProviders(ctx: Context) {
  const rows = await queries.listProviders(ctx.sql, ctx.caller.orgId)
  return { items: rows.map(present) }
}

export async function getProvider(ctx: Context, { id }: InputOf<typeof modelProviders.get>) {
  const row = await findProvider(ctx, id)
  return reply(present(row), { version: row.version })
}

const findProvider = async (ctx: Context, id: string) =>
  (await queries.findProvider(ctx.sql, ctx.caller.orgId, id)) ?? raise(notFound('Model provider'))

export async function createProvider(
  ctx: Context<'outbound' | 'quotas' | 'vault'>,
  input: InputOf<typeof modelProviders.create>,
) {
  const { orgId, userId } = ctx.caller
  const { kind, name, apiKey, models = [], slug = slugOf(kind, name) } = input
  requireKey(kind, apiKey)
  const id = newId()
  const url = await validateProviderUrl(ctx, kind, input.url)
  const secret = sealKey(ctx.vault, id, apiKey)
  const provider = { id, slug, kind, name, url, ...secret, models, createdBy: userId, now: ctx.now() }
  return ctx.transaction(async (inside) => {
    const row =
      (await queries.insertProvider(inside.sql, orgId, provider)) ??
      raise(conflict(`The organization already has a model provider with the slug ${slug}`))
    await ctx.quotas.requireWithin(inside.sql, orgId, 'providers', ctx.now())
    const details = { name, url }
    await recordAudit(inside, { action: 'model-provider.created', by: ctx.caller, target: id, details })
    return present(row)
  })
}

export async function updateProvider(
  ctx: Context<'outbound' | 'vault'>,
  input: InputOf<typeof modelProviders.update>,
) {
  const { orgId } = ctx.caller
  const { id, ifMatch, apiKey, ...changes } = input
  const { kind } = await findProvider(ctx, id)
  const url = changes.url === undefined ? undefined : await validateProviderUrl(ctx, kind, changes.url)
  return ctx.transaction(async (inside) => {
    const before = (await queries.lockProvider(inside.sql, orgId, id)) ?? raise(notFound('Model provider'))
    if (ifMatch !== undefined && ifMatch !== String(before.version)) throw stale()
    if (apiKey === null) requireKey(kind, undefined)
    if (url !== undefined && url !== before.url && before.keySealed !== null && apiKey === undefined) {
      throw badField('body.apiKey', 'is required when the URL changes: enter the key for the new URL')
    }
    const after = {
      name: changes.name ?? before.name,
      url: url ?? before.url,
      models: changes.models ?? before.models,
      ...(apiKey === undefined
        ? { keySealed: before.keySealed, lastFour: before.lastFour }
        : sealKey(ctx.vault, id, apiKey)),
    }
    const row = await queries.updateProvider(inside.sql, orgId, id, after, ctx.now())
    const details = { name: after.name, url: after.url }
    await recordAudit(inside, { action: 'model-provider.updated', by: ctx.caller, target: id, details })
    return reply(present(row), { version: row.version })
  })
}

export async function deleteProvider(ctx: Context, { id }: InputOf<typeof modelProviders.remove>) {
  return ctx.transaction(async (inside) => {
    const { orgId } = ctx.caller
    const { name } = (await queries.lockProvider(inside.sql, orgId, id)) ?? raise(notFound('Model provider'))
    await queries.deleteProvider(inside.sql, orgId, id)
    await recordAudit(inside, {
      action: 'model-provider.deleted',
      by: ctx.caller,
      target: id,
      details: { name },
    })
    return { deleted: true as const }
  })
}

function requireKey(kind: ProviderKind, apiKey: string | undefined): void {
  if (kind !== 'openai-compatible' && !apiKey) throw badField('body.apiKey', `is required for ${kind}`)
}

function slugOf(kind: ProviderKind, name: string): string {
  if (kind !== 'openai-compatible') return kind
  const slug = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, SLUG_LENGTH_MAX)
    .replace(/^-+|-+$/g, '')
  if (slug === '' || slug === 'test') throw badField('body.slug', 'is required: the name yields no slug')
  return slug
}

export const checkProvider =
  (models: Models) =>
  async (ctx: Context<'vault'>, { id }: InputOf<typeof modelProviders.test>) => {
    const { problem, models: listed } = await models.check(
      openProvider(await findProvider(ctx, id), ctx.vault),
    )
    return { ok: problem === null, problem, modelCount: listed.length }
  }

/** Removes trailing slashes. Rejects URLs that aren't public. */
async function validateProviderUrl(
  { outbound }: Pick<Context<'outbound'>, 'outbound'>,
  kind: ProviderKind,
  url: string | undefined,
): Promise<string> {
  const baseUrl = url ?? DEFAULT_URLS[kind]
  if (baseUrl === null) throw badField('body.url', 'is required for an OpenAI-compatible provider')
  const problem = await outbound.checkUrl(baseUrl)
  if (problem) throw badField('body.url', problem)
  const { search, hash, href } = new URL(baseUrl)
  if (search || hash) throw badField('body.url', 'must not have a query or a fragment')
  return href.replace(/\/+$/, '')
}
