import { guardrails } from '../../../../contract/agents/guardrails.ts'
import { skills } from '../../../../contract/knowledge/skills.ts'
import type { Connection } from '../../../connect.ts'
import { Failure } from '../../../failure.ts'
import { findProject } from '../../projects/projects/find.ts'
import { changesOf, type FieldChange } from './changes.ts'
import type { Document } from './document.ts'
import type { Entry, Inventory } from './inventory.ts'
import type { Kind } from './kinds.ts'
import { type References, referencesOf, requireReferences } from './references.ts'

export interface PlanItem {
  action: 'created' | 'updated' | 'unchanged'
  document: Document
  /** The record that the item changes; null to create one. */
  entry: Entry | null
  /** The project of a schedule; null for other kinds. */
  projectId: string | null
  changes: FieldChange[]
}

/** Plans all documents first, so that a mistake in one of them changes nothing. */
export async function planAll(
  connection: Connection,
  documents: readonly Document[],
  inventory: Inventory,
): Promise<PlanItem[]> {
  const references = referencesOf(documents, inventory)
  requireReferences(documents, references)
  const items: PlanItem[] = []
  for (const document of documents) {
    const item = await planOne(connection, document, inventory, references)
    if (items.some((other) => isSame(other, item)))
      throw new Failure('usage', `The ${document.kind} ${document.name} is in the file twice`)
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
    throw new Failure('usage', `The kind of the guardrail ${document.name} cannot change`)
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

/** A new record needs all of its required fields. */
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
