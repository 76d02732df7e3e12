import type { z } from 'zod'
import { counted } from '../../../../contract/counted.ts'
import type { RestorePlan as Schema } from '../../../../contract/projects/project-export.ts'
import { print, sanitize, style } from '../../../terminal.ts'
import { formatBytes } from '../../files/sizes.ts'
import type { Manifest, ManifestFile } from './backup.ts'

export type RestorePlan = z.output<typeof Schema>
type PlanItem = RestorePlan['create'][number]

export function printPlan(plan: RestorePlan, isLocal: (file: ManifestFile) => boolean): void {
  for (const item of plan.create) printLine('green', '+', `${nameOf(item)}${detailsOf(item)}`)
  for (const item of plan.update) printLine('yellow', '~', `${nameOf(item)}${detailsOf(item)}`)
  for (const item of plan.delete) printLine('red', '-', nameOf(item))
  for (const file of plan.missingFiles) {
    const size = formatBytes(file.size)
    if (isLocal(file)) printLine('green', '+', `file ${quote(file.path)} (${size}, to be uploaded)`)
    else
      printLine('magenta', '!', `missing file ${quote(file.path)} (${size}; blocks are restored without it)`)
  }
}

export function summarizePlan(plan: RestorePlan, isLocal: (file: ManifestFile) => boolean): string {
  const uploads = plan.missingFiles.filter(isLocal).length
  const missing = plan.missingFiles.length - uploads
  const parts = [
    `${plan.create.length} to create`,
    `${plan.update.length} to change`,
    `${plan.delete.length} to delete`,
    `${plan.unchanged} unchanged`,
  ]
  if (uploads > 0) parts.push(`${counted(uploads, 'file')} to upload`)
  if (missing > 0) parts.push(`${counted(missing, 'file')} missing`)
  return parts.join(', ')
}

export const isEmpty = (plan: RestorePlan): boolean =>
  plan.create.length + plan.update.length + plan.delete.length + plan.missingFiles.length === 0

/** For a project that doesn't exist yet. */
export const planOfNew = ({ blocks, edges, files, memory, tables = [] }: Manifest): RestorePlan => ({
  create: [
    ...blocks.map(({ id, title, content }) => ({
      kind: 'block' as const,
      id,
      title: title || firstLine(content),
    })),
    ...edges.map(({ id, label }) => ({ kind: 'edge' as const, id, title: label })),
    ...tables.map(({ id, name, rows }) => ({
      kind: 'table' as const,
      id,
      title: name,
      rows: { created: rows.length, updated: 0, deleted: 0 },
    })),
    ...memory.map(({ key }) => ({ kind: 'memory' as const, id: key, title: key })),
  ],
  update: [],
  delete: [],
  unchanged: 0,
  missingFiles: files,
})

const firstLine = (content: string | null) => content?.trim().split('\n', 1)[0]?.slice(0, 80) || null

/** Excludes files, which may be uploaded between two plans. */
export function planFingerprint(plan: RestorePlan): string {
  const withoutFiles = (items: PlanItem[]) =>
    items
      .filter(({ kind }) => kind !== 'file')
      .map(({ id, fields = [], rows }) => [id, fields.filter((field) => field !== 'fileId'), rows] as const)
  const updated = withoutFiles(plan.update).filter(([, fields, rows]) => fields.length > 0 || rows)
  return JSON.stringify([withoutFiles(plan.create), updated, withoutFiles(plan.delete)])
}

function printLine(color: 'green' | 'yellow' | 'red' | 'magenta', sign: string, text: string): void {
  print(style(color, `${sign} ${text}`, process.stdout))
}

function detailsOf({ fields = [], rows }: PlanItem): string {
  const changes = Object.entries(rows ?? {}).filter(([, count]) => count > 0)
  const parts = [...fields, ...changes.map(([change, count]) => `${counted(count, 'row')} ${change}`)]
  return parts.length > 0 ? ` (${parts.join(', ')})` : ''
}

const nameOf = ({ kind, id, title }: PlanItem) => `${kind} ${title === null ? id : quote(title)}`
const quote = (text: string) => `"${sanitize(text)}"`
