import type { InputOf } from '../../../../contract/endpoint.ts'
import type { modelProviders } from '../../../../contract/models/model-providers.ts'
import { DEFAULT_URLS, LOCAL_SERVERS, type ProviderKind } from '../../../../contract/models/providers.ts'
import { recordAudit } from '../../../audit/record.ts'
import type { Caller, Context } from '../../../context.ts'
import { reply } from '../../../endpoint/route.ts'
import { badField, conflict, notFound, raise, stale } from '../../../errors.ts'
import { isLocalServerUrl } from '../../../language-models/local-servers.ts'
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
  const isLocalServer = mayUseLocalServer(ctx.caller, input.url)
  const url = isLocalServer ? input.url! : await validateProviderUrl(ctx, kind, input.url)
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

export const tryOutProvider =
  (models: Models) => async (ctx: Context<'outbound'>, input: InputOf<typeof modelProviders.tryOut>) => {
    const { kind, apiKey, models: names = [], model } = input
    requireKey(kind, apiKey)
    const isLocalServer = mayUseLocalServer(ctx.caller, input.url)
    const provider = {
      ...{ id: 'new', kind, name: 'New', apiKey: apiKey ?? null, models: names },
      ...{ source: 'organization' as const, cacheKey: 'never stored', isLocalServer },
      url: isLocalServer ? input.url! : await validateProviderUrl(ctx, kind, input.url),
    }
    const trial = await models.tryOut(ctx.caller.orgId, provider, model)
    return {
      ...trial,
      models: trial.models.slice(0, TRIED_MODELS_MAX).map(({ id, pricing, contextWindow }) => ({
        ...{ name: id.slice(id.indexOf('/') + 1), pricing, contextWindow },
      })),
    }
  }

const TRIED_MODELS_MAX = 500

/** Other programs may listen at these addresses, so an operator decides, for all organizations or by connecting one. */
export const findLocal =
  (models: Models) =>
  async ({ sql, caller, outbound }: Context<'outbound'>) => {
    const isAllowed = caller.operator || (await outbound.checkUrl(LOCAL_SERVERS[0].url)) === null
    if (!isAllowed) return { searched: false, items: [] }
    const [found, providers] = await Promise.all([
      models.findLocalServers(),
      queries.listProviders(sql, caller.orgId),
    ])
    const isConnected = ({ id, url }: { id: string; url: string }) =>
      (id === 'ollama' && models.isOllamaShared()) || providers.some((provider) => provider.url === url)
    return {
      searched: true,
      items: found.map((server) => ({ ...server, connected: isConnected(server) })),
    }
  }

const mayUseLocalServer = ({ operator }: Caller, url: string | undefined): boolean =>
  operator && url !== undefined && isLocalServerUrl(url)

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
