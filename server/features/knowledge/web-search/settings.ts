import type { InputOf } from '../../../../contract/endpoint.ts'
import { SEARCH_PROVIDERS } from '../../../../contract/knowledge/search-providers.ts'
import type { webSearch as endpoints } from '../../../../contract/knowledge/web-search.ts'
import { recordAudit } from '../../../audit/record.ts'
import type { WebSearchConfig } from '../../../config/web-search.ts'
import type { Context } from '../../../context.ts'
import { ApiError, badField, conflict, raise } from '../../../errors.ts'
import type { Models } from '../../../language-models/models.ts'
import { hasNativeSearch } from '../../../language-models/native-search.ts'
import { HINT, notSetUp } from './not-set-up.ts'
import { createOpenSearch } from './open-search.ts'
import { shownPrice } from './price.ts'
import { findProvider, sealKey } from './provider.ts'
import * as queries from './queries.ts'

export const getProvider =
  (server: WebSearchConfig) =>
  async ({ sql, caller }: Context) => {
    const own = await queries.findSettings(sql, caller.orgId)
    const chosen = own ?? server.provider
    const kind = chosen?.kind
    const { searchesPerRun, fetchesPerRun } = server
    return {
      provider:
        chosen && kind
          ? {
              kind,
              name: SEARCH_PROVIDERS[kind].name,
              source: own ? ('organization' as const) : ('server' as const),
              pricePerSearch: shownPrice(chosen.price, kind),
            }
          : null,
      hint: kind ? null : HINT,
      limits: { searchesPerRun, fetchesPerRun },
    }
  }

export const getSettings =
  (server: WebSearchConfig) =>
  async ({ sql, caller }: Context) => {
    const row = await queries.findSettings(sql, caller.orgId)
    return {
      settings: row && {
        kind: row.kind,
        url: row.url,
        engineId: row.engineId,
        hasKey: row.keySealed !== null,
        lastFour: row.lastFour,
        pricePerSearch: row.price,
        updatedBy: row.updatedBy,
        updatedAt: row.updatedAt,
      },
      server: server.provider && { kind: server.provider.kind },
    }
  }

export const putSettings =
  (server: WebSearchConfig) =>
  async (ctx: Context<'outbound' | 'vault'>, input: InputOf<typeof endpoints.put>) => {
    const { kind, apiKey, engineId = null, pricePerSearch: price = null } = input
    const { orgId, userId } = ctx.caller
    const { name, needsKey, needsEngine } = SEARCH_PROVIDERS[kind]
    const url = await validateUrl(ctx, input)
    if (kind === 'model' && apiKey !== undefined)
      throw badField('body.apiKey', 'is the model provider’s own: leave it out')
    if (needsEngine && engineId === null) throw badField('body.engineId', `is required for ${name}`)
    await ctx.transaction(async (inside) => {
      await queries.lockSettings(inside.sql, orgId)
      const before = await queries.findSettings(inside.sql, orgId)
      const isSameServer = before !== null && before.kind === kind && before.url === url
      if (apiKey === undefined && before?.keySealed && !isSameServer && (needsKey || before.kind === kind))
        throw badField('body.apiKey', 'is required when the provider or URL changes: enter the key for it')
      if (apiKey === undefined && needsKey && !before?.keySealed)
        throw badField('body.apiKey', `is required for ${name}`)
      const key =
        apiKey === undefined && isSameServer
          ? { keySealed: before.keySealed, lastFour: before.lastFour }
          : sealKey(ctx.vault, orgId, apiKey)
      const settings = { kind, url, engineId: needsEngine ? engineId : null, price, ...key }
      await queries.upsertSettings(inside.sql, orgId, { ...settings, by: userId, now: ctx.now() })
      const details = {
        provider: name,
        ...(url !== null && { url }),
        ...(price !== null && { price: `${price} USD` }),
      }
      await recordAudit(inside, { action: 'web-search.set', by: ctx.caller, target: orgId, details })
    })
    return getSettings(server)(ctx)
  }

/** Null for the vendor's own. Removes trailing slashes. Rejects URLs that aren't public. */
async function validateUrl(
  { outbound }: Pick<Context<'outbound'>, 'outbound'>,
  { kind, url }: InputOf<typeof endpoints.put>,
): Promise<string | null> {
  if (kind === 'model') {
    if (url !== undefined) throw badField('body.url', 'is the model provider’s own: leave it out')
    return null
  }
  const defaultUrl = SEARCH_PROVIDERS[kind].url
  if (url === undefined) {
    if (defaultUrl === null) throw badField('body.url', `is required for ${SEARCH_PROVIDERS[kind].name}`)
    return null
  }
  const problem = await outbound.checkUrl(url)
  if (problem) throw badField('body.url', problem)
  const { search, hash, href } = new URL(url)
  if (search || hash) throw badField('body.url', 'must not have a query or a fragment')
  const base = href.replace(/\/+$/, '')
  return base === defaultUrl ? null : base
}

export const removeSettings = (ctx: Context) =>
  ctx.transaction(async (inside) => {
    const { orgId } = ctx.caller
    const kind = await queries.deleteSettings(inside.sql, orgId)
    if (kind !== null) {
      const details = { provider: SEARCH_PROVIDERS[kind].name }
      await recordAudit(inside, { action: 'web-search.removed', by: ctx.caller, target: orgId, details })
    }
    return { deleted: true as const }
  })

const TEST_QUERY = 'weather'
const TEST_COUNT = 5

/** Belongs to no run, so the ledger doesn't contain it. */
export const testProvider =
  (server: WebSearchConfig, models: Pick<Models, 'find' | 'list'>) =>
  async ({ sql, caller, vault, outbound, now }: Context<'outbound' | 'vault'>) => {
    const { orgId } = caller
    const chosen = (await findProvider(sql, orgId, { server, vault })) ?? raise(notSetUp())
    const startedAt = performance.now()
    const durationMs = () => Math.round(performance.now() - startedAt)
    try {
      const open = createOpenSearch({ server, vault, models })
      const model = chosen.kind === 'model' ? await findSearchModel(models, orgId) : ''
      const domains = { allowedDomains: [], deniedDomains: [] }
      const { signal } = new AbortController()
      const { search } = await open({ sql, orgId, outbound, signal, now: now(), model, ...domains })
      const { results } = await search({ query: TEST_QUERY, count: TEST_COUNT })
      return { ok: true, problem: null, resultCount: results.length, durationMs: durationMs() }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      return { ok: false, problem: error.message, resultCount: 0, durationMs: durationMs() }
    }
  }

/** The first whose provider searches. */
async function findSearchModel(models: Pick<Models, 'find' | 'list'>, orgId: string): Promise<string> {
  const listed = await models.list(orgId)
  for (const { id } of new Map(listed.models.map((model) => [model.id.split('/', 1)[0], model])).values()) {
    const found = await models.find(orgId, id)
    if (found.kind === 'model' && hasNativeSearch(found.provider.kind)) return id
  }
  throw conflict('No model of OpenAI, Anthropic or Google is set up: add a provider in Settings → Models')
}
