import type { Sql } from '../../../database/database.ts'
import { builtIn } from './catalog/catalog.ts'
import { compile } from './custom/compile.ts'
import { listCustom, listCustomBySlug } from './custom/custom-queries.ts'
import type { ConnectorDefinition } from './definition/definition.ts'

const bySlug = new Map(builtIn.map((definition) => [definition.slug, definition]))

export const isBuiltIn = (slug: string): boolean => bySlug.has(slug)

/** Built-in and custom, sorted by name. */
export async function listDefinitions(sql: Sql, orgId: string): Promise<readonly ConnectorDefinition[]> {
  const custom = (await listCustom(sql, orgId)).map((row) => compile(orgId, row))
  return [...builtIn, ...custom].toSorted((left, right) => left.name.localeCompare(right.name, 'en'))
}

export async function findDefinition(
  sql: Sql,
  orgId: string,
  slug: string,
): Promise<ConnectorDefinition | null> {
  return (await findDefinitions(sql, orgId, [slug])).get(slug) ?? null
}

/** At most one statement for any number of slugs. */
export async function findDefinitions(
  sql: Sql,
  orgId: string,
  slugs: readonly string[],
): Promise<ReadonlyMap<string, ConnectorDefinition>> {
  const custom = [...new Set(slugs)].filter((slug) => !isBuiltIn(slug) && slug.startsWith('custom-'))
  const rows = custom.length === 0 ? [] : await listCustomBySlug(sql, orgId, custom)
  const own = rows.map((row) => [row.slug, compile(orgId, row)] as const)
  return new Map([...slugs.filter(isBuiltIn).map((slug) => [slug, bySlug.get(slug)!] as const), ...own])
}

export async function listExistingSlugs(
  sql: Sql,
  orgId: string,
  slugs: readonly string[],
): Promise<ReadonlySet<string>> {
  return new Set((await findDefinitions(sql, orgId, slugs)).keys())
}
