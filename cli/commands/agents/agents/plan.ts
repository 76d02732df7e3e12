import { isDeepStrictEqual } from 'node:util'
import { guardrails } from '../../../../contract/agents/guardrails.ts'
import { skills } from '../../../../contract/knowledge/skills.ts'
import type { Connection } from '../../../connect.ts'
import { Failure } from '../../../failure.ts'
import { print, sanitize, style } from '../../../terminal.ts'
import { findProject } from '../../projects/projects/find.ts'
import type { Document } from './document.ts'
import type { Entry, Inventory } from './inventory.ts'
import type { Kind } from './kinds.ts'
import {
  createReferences,
  namesIn,
  REFERENCE_FIELDS,
  type References,
  requireReferences,
} from './references.ts'

export interface PlanItem {
  action: 'created' | 'updated' | 'unchanged'
  document: Document
  /** Null to create one. */
  entry: Entry | null
  /** Null except for schedules. */
  projectId: string | null
  changes: FieldChange[]
}

/** Plans all documents first, so a mistake in one changes nothing. */
export async function planAll(
  connection: Connection,
  documents: readonly Document[],
  inventory: Inventory,
): Promise<PlanItem[]> {
  const references = createReferences(documents, inventory)
  requireReferences(documents, references)
  const items: PlanItem[] = []
  for (const document of documents) {
    const item = await planOne(connection, document, inventory, references)
    if (items.some((other) => isSame(other, item)))
      throw new Failure('usage', `The file contains the ${document.kind} ${document.name} twice`)
    items.push(item)
  }
  return items
}

const isSame = (a: PlanItem, b: PlanItem) =>
  a.document.kind === b.document.kind &&
  (b.entry ? a.entry?.id === b.entry.id : a.document.name === b.document.name && a.projectId === b.projectId)

async function planOne(
  connection: Connection,
  document: Document,
  { entries }: Inventory,
  references: References,
): Promise<PlanItem> {
  const { kind, fields } = document
  const projectId = kind === 'schedule' ? (await findProject(connection, String(fields.project))).id : null
  const entry = findEntry(entries, document, projectId)
  if (!entry) {
    requireComplete(document)
    return { action: 'created', document, entry, projectId, changes: changesOf(null, document, references) }
  }
  requireSameProject(entry, document, projectId)
  const current: Record<string, unknown> = { name: entry.name, ...(await entry.fields()) }
  if (kind === 'guardrail' && fields.kind !== undefined && fields.kind !== current.kind)
    throw new Failure('usage', `The guardrail ${document.name} cannot change its kind`)
  const changes = changesOf(current, document, references)
  return { action: changes.length > 0 ? 'updated' : 'unchanged', document, entry, projectId, changes }
}

function findEntry(all: readonly Entry[], { kind, id, name }: Document, projectId: string | null) {
  const entries = all.filter((entry) => entry.kind === kind)
  if (id !== null)
    return entries.find((entry) => entry.id === id) ?? fail('failed', `${capitalize(kind)} ${id} not found`)
  const found = entries.filter((entry) => entry.name === name && entry.projectId === projectId)
  if (found.length <= 1) return found[0] ?? null
  const ids = found.map((entry) => entry.id).join(', ')
  return fail('usage', `${found.length} ${kind}s are named ${name}: use an id`, `Ids: ${ids}`)
}

const capitalize = (word: string) => word[0]!.toUpperCase() + word.slice(1)

function fail(kind: Failure['kind'], message: string, hint?: string): never {
  throw new Failure(kind, message, hint)
}

function requireSameProject(entry: Entry, { name }: Document, projectId: string | null): void {
  if (entry.projectId !== projectId)
    throw new Failure('usage', `The schedule ${name} cannot move to another project`)
}

const COMPLETENESS_CHECKS: Partial<Record<Kind, (fields: Record<string, unknown>) => string | null>> = {
  skill: (fields) => problemOf(skills.create.body.safeParse(fields)),
  guardrail: (fields) => problemOf(guardrails.create.body.safeParse(fields)),
  schedule: ({ cron, message, block }) => {
    if (cron === undefined) return 'cron is required'
    return (message === undefined) === (block === undefined)
      ? 'either a message or a block is required'
      : null
  },
}

function requireComplete({ kind, name, fields }: Document): void {
  const problem = COMPLETENESS_CHECKS[kind]?.({ name, ...fields })
  if (problem) throw new Failure('usage', `The ${kind} ${name} is new: ${problem}`)
}

interface ParseResult {
  success: boolean
  error?: { issues: { path: PropertyKey[]; message: string }[] }
}

function problemOf({ error }: ParseResult): string | null {
  const issue = error?.issues[0]
  return issue ? `${issue.path.join('.')} ${issue.message}` : null
}

interface FieldChange {
  field: string
  /** Undefined for a new record. */
  before: unknown
  after: unknown
}

function changesOf(
  current: Record<string, unknown> | null,
  { kind, name, fields }: Document,
  references: References,
): FieldChange[] {
  const documentFields = current ? { name, ...fields } : fields
  return Object.entries(documentFields).flatMap(([field, value]) => {
    if (value === undefined || field === 'project') return []
    const before = current?.[field]
    const after = field === 'tools' && current ? { ...(before as object), ...(value as object) } : value
    const target = REFERENCE_FIELDS[kind]?.[field]
    const normalize = (each: unknown) =>
      target
        ? namesIn(each).map((ref) => references.idOf(target, ref) ?? `new ${ref}`)
        : toComparable(field, each)
    return current && isDeepStrictEqual(normalize(before), normalize(after)) ? [] : [{ field, before, after }]
  })
}

/** The server stores an empty text as null, an amount with six decimals, and files ordered by path. */
function toComparable(field: string, value: unknown): unknown {
  if (value === '' || value === undefined) return null
  if (field === 'files') return bytesByPath(value)
  if (typeof value === 'object' && value !== null && 'amount' in value)
    return { ...value, amount: Number(value.amount) }
  return value
}

export interface DocumentFile {
  path: string
  text?: string
  base64?: string
}

/** Base64 contents by path. */
export const bytesByPath = (files: unknown): Record<string, string> =>
  Object.fromEntries(
    ((files ?? []) as DocumentFile[])
      .map(({ path, text, base64 }) => [path, base64 ?? Buffer.from(text ?? '').toString('base64')] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  )

const TEXT_FIELDS = new Set(['prompt', 'instructions', 'message'])

export function printItem({ action, document: { kind, name }, changes }: PlanItem): void {
  const label = `${kind} ${sanitize(name)}`
  if (action === 'created') print(style('green', `+ ${label}`, process.stdout))
  else if (action === 'updated') print(style('yellow', `~ ${label}`, process.stdout))
  else print(`  ${label}`)
  changes.forEach(printChange)
}

function printChange({ field, before, after }: FieldChange): void {
  if (field === 'files') printFiles(before, after)
  else if (TEXT_FIELDS.has(field) && typeof after === 'string')
    printText(field, typeof before === 'string' ? before : '', after)
  else print(`    ${field}: ${before === undefined ? '' : `${formatValue(before)} → `}${formatValue(after)}`)
}

const formatValue = (value: unknown) =>
  sanitize(typeof value === 'string' ? value : (JSON.stringify(value) ?? 'null'))

function printText(field: string, before: string, after: string): void {
  print(`    ${field}:`)
  const [removed, added] = changedLines(before, after)
  for (const line of removed) print(style('red', `      - ${sanitize(line)}`, process.stdout))
  for (const line of added) print(style('green', `      + ${sanitize(line)}`, process.stdout))
}

function printFiles(before: unknown, after: unknown): void {
  const [old, next] = [bytesByPath(before), bytesByPath(after)]
  print('    files:')
  for (const path of [...new Set([...Object.keys(old), ...Object.keys(next)])].toSorted()) {
    const sign = !(path in next) ? '-' : !(path in old) ? '+' : old[path] === next[path] ? null : '~'
    if (sign) print(`      ${sign} ${sanitize(path)}`)
  }
}

function changedLines(before: string, after: string): [string[], string[]] {
  if (before === '') return [[], after.replace(/\n$/, '').split('\n')]
  const [old, next] = [before.split('\n'), after.split('\n')]
  let start = 0
  while (start < Math.min(old.length, next.length) && old[start] === next[start]) start++
  let end = 0
  while (end < Math.min(old.length, next.length) - start && old.at(-1 - end) === next.at(-1 - end)) end++
  return [old.slice(start, old.length - end), next.slice(start, next.length - end)]
}
