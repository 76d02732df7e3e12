import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'

const FEATURES = 'server/features'
const ROOT = join(import.meta.dirname, '../..')

/**
 * The feature that a file belongs to: `accounts/api-keys`, or `webhooks` for a group that is one feature. Undefined for
 * files outside the features.
 */
export function featureOf(path: string): string | undefined {
  const [, group, name] = /^server\/features\/([^/]+)\/([^/]+)/.exec(path) ?? []
  if (!group || !name) return undefined
  return isFeature(group) ? group : `${group}/${name}`
}

/** The one module of a feature that others may import. */
export const publicModuleOf = (feature: string): string =>
  `${FEATURES}/${feature}/${feature.split('/').at(-1)}.ts`

/** The folder of pages that a file belongs to: `agents/runs`, or `webhooks` for a group whose own folder has pages. */
export function pageOf(path: string): string | undefined {
  const [, group, name] = /^dashboard\/pages\/([^/]+)\/([^/]+)\//.exec(path) ?? []
  if (!group) return undefined
  return hasPages(group) ? group : `${group}/${name}`
}

const isFeature = remembered((group) => existsSync(join(ROOT, FEATURES, group, `${group}.ts`)))
const hasPages = remembered(
  (group) => globSync(`dashboard/pages/${group}/*-page.tsx`, { cwd: ROOT }).length > 0,
)

function remembered(find: (name: string) => boolean): (name: string) => boolean {
  const found = new Map<string, boolean>()
  return (name) => {
    const known = found.get(name) ?? find(name)
    found.set(name, known)
    return known
  }
}
