import { isDeepStrictEqual } from 'node:util'
import { CUSTOM_CONNECTOR_LIMITS } from '../../../../../contract/connections/connector-options.ts'
import type {
  CustomConnectorSettings,
  customConnectors,
} from '../../../../../contract/connections/custom-connectors.ts'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import { recordAudit } from '../../../../audit/record.ts'
import type { Context } from '../../../../context.ts'
import { reply } from '../../../../endpoint/route.ts'
import { badField, conflict, notFound, raise, stale } from '../../../../errors.ts'
import { checkSettings } from './check-settings.ts'
import * as queries from './custom-queries.ts'

const SLUG_CHARACTERS = 24

export async function list({ sql, caller }: Context) {
  const rows = await queries.listCustom(sql, caller.orgId)
  return {
    items: rows.map(({ slug, version, updatedAt, definition: { name, description, baseUrl, tools } }) => ({
      slug,
      name,
      description,
      baseUrl,
      version,
      updatedAt,
      toolCount: tools.length,
    })),
  }
}

export async function get(ctx: Context, { slug }: InputOf<typeof customConnectors.get>) {
  const record = await recordOf(ctx, slug)
  return reply(record, { version: record.version })
}

export const create = (
  ctx: Context<'outbound'>,
  { slug, ...settings }: InputOf<typeof customConnectors.create>,
) => addConnector(ctx, settings, slug)

/** Never reuses a slug. */
export async function addConnector(
  ctx: Context<'outbound'>,
  settings: CustomConnectorSettings,
  slugName: string | undefined,
) {
  const { orgId, userId: by } = ctx.caller
  await checkSettings(ctx, settings)
  return ctx.transaction(async (inside) => {
    const existing = await queries.lockSlugs(inside.sql, orgId)
    if (existing.filter(({ isDeleted }) => !isDeleted).length >= CUSTOM_CONNECTOR_LIMITS.connectors)
      throw conflict(`An organization has at most ${CUSTOM_CONNECTOR_LIMITS.connectors} custom connectors`)
    const taken = new Set(existing.map(({ slug }) => slug))
    const slug = slugName === undefined ? freeSlug(settings.name, taken) : `custom-${slugName}`
    if (taken.has(slug)) throw conflict(`The slug ${slug} was used before: choose another one`)
    await queries.insertCustom(inside.sql, orgId, { slug, definition: settings, by, now: ctx.now() })
    await audit(inside, 'connector.created', slug, settings)
    return recordOf(inside, slug)
  })
}

export async function update(ctx: Context<'outbound'>, input: InputOf<typeof customConnectors.update>) {
  const { slug, ifMatch, ...settings } = input
  const { orgId } = ctx.caller
  await checkSettings(ctx, settings)
  return ctx.transaction(async (inside) => {
    const before = (await queries.lockCustom(inside.sql, orgId, slug)) ?? raise(notFound('Connector'))
    if (ifMatch !== undefined && ifMatch !== String(before.version)) throw stale()
    requireSameHost(before.definition, settings)
    await queries.updateCustom(inside.sql, orgId, slug, settings, ctx.now())
    await audit(inside, 'connector.updated', slug, settings)
    const record = await recordOf(inside, slug)
    return reply(record, { version: record.version })
  })
}

export const remove = (ctx: Context, { slug }: InputOf<typeof customConnectors.remove>) =>
  ctx.transaction(async (inside) => {
    const { orgId } = ctx.caller
    const row = (await queries.lockCustom(inside.sql, orgId, slug)) ?? raise(notFound('Connector'))
    await queries.markDeleted(inside.sql, orgId, slug, ctx.now())
    await audit(inside, 'connector.deleted', slug, row.definition)
    return { deleted: true as const }
  })

/** An admin must not be able to send members' credentials elsewhere. */
function requireSameHost(before: CustomConnectorSettings, after: CustomConnectorSettings): void {
  if (new URL(before.baseUrl).origin !== new URL(after.baseUrl).origin)
    throw badField('body.baseUrl', 'must keep its scheme, host and port: add another connector')
  if (!isDeepStrictEqual(asStored(before.auth), asStored(after.auth)))
    throw badField('body.auth', 'must stay as it is: add another connector')
}

const asStored = (value: unknown) => JSON.parse(JSON.stringify(value))

async function recordOf({ sql, caller }: Context, slug: string) {
  const row = (await queries.findCustom(sql, caller.orgId, slug)) ?? raise(notFound('Connector'))
  const { definition, ...rest } = row
  return { ...definition, ...rest }
}

function freeSlug(name: string, taken: ReadonlySet<string>): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
  const base = plain.slice(0, SLUG_CHARACTERS).replace(/^-+|-+$/g, '') || 'connector'
  for (let number = 1; ; number++) {
    const suffix = number === 1 ? '' : `-${number}`
    const slug = `custom-${base.slice(0, SLUG_CHARACTERS - suffix.length).replace(/-+$/, '')}${suffix}`
    if (!taken.has(slug)) return slug
  }
}

const audit = (
  ctx: Context,
  action: 'connector.created' | 'connector.updated' | 'connector.deleted',
  slug: string,
  { name, baseUrl, tools }: CustomConnectorSettings,
) => {
  const details = { name, host: new URL(baseUrl).host, tools: String(tools.length) }
  return recordAudit(ctx, { action, by: ctx.caller, target: slug, details })
}
