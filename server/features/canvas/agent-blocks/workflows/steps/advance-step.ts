import type { Context } from '../../../../../context.ts'
import type { Sql } from '../../../../../database/database.ts'
import { addJob } from '../../../../../jobs/job.ts'
import { newId } from '../../../../../security/ids.ts'
import type { EngineRun } from '../../../../agents/runs/runs.ts'
import type { BlockStep } from '../../steps.ts'
import type { ShownState } from '../show-states.ts'
import type { WorkflowNode } from '../workflow-queries.ts'
import { closeForms, findFormOf, insertForm } from './form-queries.ts'
import { formOpened } from './forms.ts'

export async function startStep(
  ctx: Context,
  run: EngineRun,
  node: WorkflowNode,
  step: BlockStep,
): Promise<ShownState> {
  const now = ctx.now()
  node.state = 'running'
  const wake = (at: Date, waitsFor: string): ShownState => {
    node.wakeAt = at.toISOString()
    return { status: 'waiting', waitsFor, startedAt: now.toISOString() }
  }
  if (step.type === 'form') {
    const expiresAt = after(now, step.timeoutSeconds)
    const id = newId()
    const { blockId, title, instructions } = node
    const { fields, people } = step
    const content = instructions.trim() || null
    await insertForm(ctx.sql, run.orgId, {
      ...{
        id,
        projectId: run.projectId,
        runId: run.id,
        blockId,
        title,
        content,
        fields,
        people,
        expiresAt,
        now,
      },
    })
    await ctx.sql`select ${addJob(ctx.sql, formOpened, { orgId: run.orgId, formId: id })}`
    return wake(expiresAt, 'form')
  }
  if (!step.event) return wake(step.until ? new Date(step.until) : after(now, step.seconds!), 'time')
  Object.assign(node, { eventType: step.event.type, eventAfter: newId() })
  return wake(after(now, step.event.timeoutSeconds), 'event')
}

const after = (now: Date, seconds: number) => new Date(now.getTime() + seconds * 1000)

/** Null while it waits. */
export async function advanceStep(
  ctx: Context,
  run: EngineRun,
  node: WorkflowNode,
): Promise<ShownState | null> {
  const now = ctx.now()
  const isOver = node.wakeAt !== null && new Date(node.wakeAt) <= now
  const end = await endOf(ctx.sql, run, node, isOver)
  if (!end) return null
  Object.assign(node, end, { wakeAt: null })
  const finished = { waitsFor: null, finishedAt: now.toISOString() }
  if (end.state === 'failed') return { status: 'failed', error: end.error, ...finished }
  const output =
    end.output === null ? {} : { output: JSON.stringify(end.output, null, 2), outputRunId: run.id }
  return { status: 'done', ...finished, ...output }
}

type StepEnd = { state: 'done'; output: unknown } | { state: 'failed'; error: string }

async function endOf(sql: Sql, run: EngineRun, node: WorkflowNode, isOver: boolean): Promise<StepEnd | null> {
  const { orgId, id: runId } = run
  if (node.step!.type === 'form') {
    const form = await findFormOf(sql, orgId, runId, node.blockId)
    if (form?.state === 'answered')
      return { state: 'done', output: { ...(form.answer as object), answeredBy: form.answeredBy } }
    if (!isOver) return null
    await closeForms(sql, orgId, runId, node.blockId)
    return { state: 'failed', error: 'Nobody answered the form in time' }
  }
  if (node.eventType === null) return isOver ? { state: 'done', output: null } : null
  const event = await findEvent(sql, orgId, node)
  if (event) return { state: 'done', output: event }
  return isOver ? { state: 'failed', error: `No event ${node.eventType} arrived in time` } : null
}

async function findEvent(sql: Sql, orgId: string, { eventType, eventAfter }: WorkflowNode) {
  const [event] = await sql<{ id: string; type: string; source: string; data: unknown }[]>`
    select id, type, source, payload as data from events
    where org_id = ${orgId} and type = ${eventType} and id > ${eventAfter} and status not in ('rejected', 'filtered')
    order by id limit 1`
  return event ?? null
}
