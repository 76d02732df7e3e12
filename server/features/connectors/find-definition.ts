import type { Sql } from '../../database/database.ts'
import { builtIn } from './catalog/catalog.ts'
import { compile } from './custom/compile.ts'
import { findCustom, listCustom } from './custom/custom-queries.ts'
import type { ConnectorDefinition } from './definition/definition.ts'

const bySlug = new Map(builtIn.map((definition) => [definition.slug, definition]))

export const isBuiltIn = (slug: string): boolean => bySlug.has(slug)

/** The connectors of an organization, by name: those of this server and its own. */
export async function listDefinitions(sql: Sql, orgId: string): Promise<readonly ConnectorDefinition[]> {
  const custom = (await listCustom(sql, orgId)).map((row) => compile(orgId, row))
  return [...builtIn, ...custom].toSorted((left, right) => left.name.localeCompare(right.name, 'en'))
}

export async function findDefinition(
  sql: Sql,
  orgId: string,
  slug: string,
): Promise<ConnectorDefinition | null> {
  const known = bySlug.get(slug)
  if (known || !slug.startsWith('custom-')) return known ?? null
  const row = await findCustom(sql, orgId, slug)
  return row && compile(orgId, row)
}

/** Those of the slugs that are connectors of the organization. */
export async function existingConnectors(
  sql: Sql,
  orgId: string,
  slugs: readonly string[],
): Promise<ReadonlySet<string>> {
  const found = await Promise.all(slugs.map((slug) => findDefinition(sql, orgId, slug)))
  return new Set(found.flatMap((definition) => definition?.slug ?? []))
}
