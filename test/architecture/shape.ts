import { dirname } from 'node:path'
import { featureOf, pageOf } from './features.ts'
import { productImports, sources, textOf } from './imports.ts'

const TINY_LINES_MAX = 24

/** The part of the product that has subfolders of its own: a feature, a folder of pages, or a folder of the server. */
const unitOf = (path: string): string | undefined => {
  const feature = featureOf(path)
  if (feature) return `server/features/${feature}`
  const page = pageOf(path)
  if (page) return `dashboard/pages/${page}`
  return /^(server\/(?!features\/)[^/]+|dashboard\/(?!pages\/)[^/]+|cli\/commands\/[^/]+)\//.exec(path)?.[1]
}

const subfolderOf = (path: string, unit: string): string | undefined =>
  path.startsWith(`${unit}/`) ? /^([^/]+)\//.exec(path.slice(unit.length + 1))?.[1] : undefined

/** Pairs of subfolders of one unit that import each other, each as `unit: a ⇄ b`. */
export function entangledSubfolders(): string[] {
  const edges = new Set<string>()
  for (const { from, to, isLazy } of productImports) {
    const unit = unitOf(from)
    if (!unit || isLazy) continue
    const [source, target] = [subfolderOf(from, unit), subfolderOf(to, unit)]
    if (source && target && source !== target) edges.add(`${unit}: ${source} ⇄ ${target}`)
  }
  return [...edges].filter((edge) => {
    const [, unit, source, target] = /^(.*): (.*) ⇄ (.*)$/.exec(edge)!
    return source! < target! && edges.has(`${unit}: ${target} ⇄ ${source}`)
  })
}

/** Files of fewer than 25 lines whose only importer is in the same folder: they belong to it. */
export function tinyFiles(): string[] {
  const importers = new Map<string, Set<string>>()
  for (const { from, to } of productImports) importers.set(to, (importers.get(to) ?? new Set()).add(from))
  // A file that is loaded on demand can't be a part of the file that loads it.
  const onDemand = new Set(productImports.filter(({ isLazy }) => isLazy).map(({ to }) => to))
  return sources.filter((file) => {
    if (onDemand.has(file)) return false
    if (textOf(file).split('\n').length - 1 > TINY_LINES_MAX) return false
    const [importer, ...others] = importers.get(file) ?? []
    return importer !== undefined && others.length === 0 && dirname(importer) === dirname(file)
  })
}
