import { ApiFailure } from '../../../../client/client.ts'
import { agents } from '../../../../contract/agents/agents.ts'
import { schedules } from '../../../../contract/agents/schedules.ts'
import { type Connection, parseResponse } from '../../../connect.ts'
import { explain, Failure } from '../../../failure.ts'
import type { PlanItem } from './plan.ts'
import { namesIn, REFERENCE_FIELDS, type References } from './references.ts'

export interface ApplyResult {
  id: string
  version: number | null
  warnings: { path: string; message: string }[]
}

/** Creates or changes one agent or schedule. The records that it refers to already exist. */
export async function applyItem(
  connection: Connection,
  item: PlanItem,
  references: References,
): Promise<ApplyResult> {
  const call = item.document.kind === 'agent' ? applyAgent : applySchedule
  return call(connection, item, bodyOf(item, references)).catch((error: unknown) => {
    throw failureOf(error, connection.server, item)
  })
}

/** The changed fields with ids instead of names. */
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

/** Passes failures of the API on unchanged, because they contain the reason. */
const parse = ((server, endpoint, response) =>
  response.then((value) => parseResponse(server, endpoint, Promise.resolve(value)))) as typeof parseResponse

function failureOf(error: unknown, server: string, { document: { kind, name }, entry }: PlanItem): Failure {
  if (error instanceof ApiFailure && error.code === 'PRECONDITION_FAILED')
    return new Failure(
      'failed',
      `Another caller changed ${name}`,
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
