import { ApiFailure } from '../../../../client/client.ts'
import { agents } from '../../../../contract/agents/agents.ts'
import { schedules } from '../../../../contract/agents/schedules.ts'
import type { CliEnvironment } from '../../../config.ts'
import { type Connection, connect, parseResponse } from '../../../connect.ts'
import { explain, Failure } from '../../../failure.ts'
import type { PageOptions } from '../../../page.ts'
import { canConfirm, confirm, printData, printMessage, sanitize } from '../../../terminal.ts'
import { applyInBrowser, needsBrowser } from './browser-changes.ts'
import { type Document, readDocuments } from './document.ts'
import { readInventory } from './inventory.ts'
import { type PlanItem, planAll, printItem } from './plan.ts'
import { createReferences, namesIn, REFERENCE_FIELDS, type References } from './references.ts'

interface ApplyOptions extends PageOptions {
  dryRun?: boolean
  yes?: boolean
}

interface Outcome {
  action: PlanItem['action'] | 'not applied'
  kind: PlanItem['document']['kind']
  id: string | null
  name: string
  version: number | null
  fields: string[]
}

/** Applies the changes to confirm in the browser first, then the rest in order. */
export async function applyAgents(
  file: string,
  options: ApplyOptions,
  environment: CliEnvironment,
): Promise<void> {
  const documents = await readDocuments(file)
  const connection = await connect(options.server, environment)
  const plan = await createPlan(connection, documents)
  if (!options.json) plan.forEach(printItem)
  const changedCount = plan.filter(({ action }) => action !== 'unchanged').length
  if (options.dryRun || changedCount === 0) return report(plan.map(outcomeOf), options)
  await requireConfirmation(plan, options)
  const browserItems = plan.filter(needsBrowser)
  if (browserItems.length > 0)
    await applyInBrowser(connection, browserItems, options, () => isApplied(connection, documents))
  await applyWithApi(connection, documents, plan, options)
}

async function createPlan(connection: Connection, documents: readonly Document[]): Promise<PlanItem[]> {
  const kinds = new Set(documents.map(({ kind }) => kind))
  return planAll(connection, documents, await readInventory(connection, kinds))
}

const isApplied = async (connection: Connection, documents: readonly Document[]) =>
  !(await createPlan(connection, documents)).some(needsBrowser)

async function requireConfirmation(plan: readonly PlanItem[], options: ApplyOptions): Promise<void> {
  if (options.yes) return
  const summary = summaryOf(plan.map(outcomeOf), true)
  if (options.json || !canConfirm())
    throw new Failure(
      'usage',
      `This changes the organization: ${summary}`,
      'Use --yes to apply it, or --dry-run to see the plan.',
    )
  await confirm(`${summary}. Apply?`)
}

/** The report lists the changes applied before a failure. */
async function applyWithApi(
  connection: Connection,
  documents: readonly Document[],
  plan: readonly PlanItem[],
  options: ApplyOptions,
): Promise<void> {
  const outcomes = plan.map((item) =>
    needsBrowser(item) || item.action === 'unchanged' ? outcomeOf(item) : notAppliedOutcome(item),
  )
  const kinds = new Set(documents.map(({ kind }) => kind))
  try {
    for (const [index, item] of plan.entries()) {
      if (needsBrowser(item) || item.action === 'unchanged') continue
      // Read again: this change may refer to a record the previous one created.
      const references = createReferences(documents, await readInventory(connection, kinds))
      const { id, version, warnings } = await applyItem(connection, item, references)
      outcomes[index] = { ...outcomeOf(item), id, version }
      for (const { path, message } of warnings) printMessage(`warning  ${path}: ${sanitize(message)}`)
    }
  } catch (error) {
    report(outcomes, options)
    throw explain(error, connection.server)
  }
  report(outcomes, options)
}

const outcomeOf = ({ action, document: { kind, name }, entry, changes }: PlanItem): Outcome => ({
  action,
  kind,
  id: entry?.id ?? null,
  name,
  version: entry?.version ?? null,
  fields: changes.map(({ field }) => field),
})

const notAppliedOutcome = (item: PlanItem): Outcome => ({ ...outcomeOf(item), action: 'not applied' })

function report(outcomes: readonly Outcome[], { json, dryRun = false }: ApplyOptions): void {
  if (json) {
    printData({ dryRun, items: outcomes })
    return
  }
  printMessage(summaryOf(outcomes, dryRun))
  for (const { kind, name } of outcomes.filter(({ action }) => action === 'not applied'))
    printMessage(`not applied  ${kind} ${sanitize(name)}`)
}

function summaryOf(outcomes: readonly Outcome[], isPlan: boolean): string {
  const count = (action: Outcome['action']) => outcomes.filter((each) => each.action === action).length
  const [created, updated, unchanged] = [count('created'), count('updated'), count('unchanged')]
  return isPlan
    ? `${created} to create, ${updated} to change, ${unchanged} unchanged`
    : `${created} created, ${updated} changed, ${unchanged} unchanged`
}

interface ApplyResult {
  id: string
  version: number | null
  warnings: { path: string; message: string }[]
}

/** The records it refers to must exist. */
async function applyItem(
  connection: Connection,
  item: PlanItem,
  references: References,
): Promise<ApplyResult> {
  const call = item.document.kind === 'agent' ? applyAgent : applySchedule
  return call(connection, item, bodyOf(item, references)).catch((error: unknown) => {
    throw failureOf(error, connection.server, item)
  })
}

function bodyOf({ document: { kind }, changes }: PlanItem, { idOf }: References): Record<string, unknown> {
  const targets = REFERENCE_FIELDS[kind] ?? {}
  return Object.fromEntries(
    changes.map(({ field, after }) => {
      const target = targets[field]
      if (!target) return [field === 'block' ? 'blockId' : field, after]
      const ids = namesIn(after).map((ref) => idOf(target, ref)!)
      return Array.isArray(after) ? [field, ids] : [`${field}Id`, ids[0]]
    }),
  )
}

async function applyAgent(
  { server, client }: Connection,
  { entry, document: { name } }: PlanItem,
  body: Record<string, unknown>,
): Promise<ApplyResult> {
  const idempotencyKey = crypto.randomUUID()
  const { id, version, warnings } = entry
    ? await parse(server, agents.update, client.agents.update({ id: entry.id, ...body }, ifUnchanged(entry)))
    : await parse(server, agents.create, client.agents.create({ name, ...body }, { idempotencyKey }))
  return { id, version, warnings }
}

async function applySchedule(
  { server, client }: Connection,
  { entry, projectId, document: { name } }: PlanItem,
  body: Record<string, unknown>,
): Promise<ApplyResult> {
  const idempotencyKey = crypto.randomUUID()
  const input = { name, projectId: projectId!, ...body } as Parameters<typeof client.schedules.create>[0]
  const { id } = entry
    ? await parse(server, schedules.update, client.schedules.update({ id: entry.id, ...body }))
    : await parse(server, schedules.create, client.schedules.create(input, { idempotencyKey }))
  return { id, version: null, warnings: [] }
}

const ifUnchanged = ({ version }: { version: number | null }) => ({ ifMatch: `"${version}"` })

/** Passes API failures on unchanged, because they contain the reason. */
const parse = ((server, endpoint, response) =>
  response.then((value) => parseResponse(server, endpoint, Promise.resolve(value)))) as typeof parseResponse

function failureOf(error: unknown, server: string, { document: { kind, name }, entry }: PlanItem): Failure {
  if (error instanceof ApiFailure && error.code === 'PRECONDITION_FAILED')
    return new Failure(
      'failed',
      `${name} was changed in the meantime`,
      'Run the command again to see the new changes.',
    )
  if (error instanceof ApiFailure && error.reason === 'browser_session_required')
    return new Failure(
      'refused',
      error.message,
      `Change these settings in the dashboard: ${server}/${kind}s${entry ? `/${entry.id}` : ''}`,
    )
  return explain(error, server)
}
