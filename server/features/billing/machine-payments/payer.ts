import type { machinePayments } from '../../../../contract/billing/machine-payments.ts'
import type { InputOf } from '../../../../contract/endpoint.ts'
import type { Context } from '../../../context.ts'
import type { Sql } from '../../../database/database.ts'
import { badField } from '../../../errors.ts'
import { findProject } from '../../projects/projects/projects.ts'
import { findCallApproval } from './approval-queries.ts'
import type { Holders } from './mandates/mandate-queries.ts'

export interface Payer extends Holders {
  createdBy: string
  runId: string | null
  /** The run, if any, has read nothing untrusted. */
  isTrusted: boolean
  /** A member's approval for exactly this call. */
  callApprovalId: string | null
}

type Request = Pick<InputOf<typeof machinePayments.create>, 'projectId' | 'runId' | 'idempotencyKey'>

/** A key or user may name a run, but can't use its agent's mandates. */
export async function resolvePayer(ctx: Context, request: Request): Promise<Payer> {
  const { caller, sql } = ctx
  const { orgId, via, credentialId } = caller
  if (via === 'run') return runPayer(ctx, request)
  const project = request.projectId === undefined ? null : await findProject(ctx, request.projectId)
  const run = request.runId === undefined ? null : await findRun(sql, orgId, request.runId)
  if (run === undefined) throw badField('body.runId', 'names no run in this organization')
  if (run) {
    // The caller must see the run's project.
    await findProject(ctx, run.projectId)
    if (project && project.id !== run.projectId) throw badField('body.projectId', 'must be the run’s project')
  }
  return {
    orgId,
    createdBy: caller.userId,
    keyId: via === 'key' ? credentialId : null,
    agentId: null,
    projectId: project?.id ?? run?.projectId ?? null,
    runId: run?.id ?? null,
    isTrusted: run === null || run.trust === 'trusted',
    callApprovalId: null,
  }
}

async function runPayer({ sql, caller }: Context, request: Request): Promise<Payer> {
  const { orgId, credentialId: runId } = caller
  const run = await findRun(sql, orgId, runId)
  if (!run || (request.runId ?? runId) !== runId) throw badField('body.runId', 'must be the run that pays')
  if ((request.projectId ?? run.projectId) !== run.projectId)
    throw badField('body.projectId', 'must be the run’s project')
  return {
    orgId,
    createdBy: caller.userId,
    keyId: run.keyId,
    agentId: run.agentId,
    projectId: run.projectId,
    runId,
    isTrusted: run.trust === 'trusted',
    callApprovalId: await findCallApproval(sql, orgId, runId, request.idempotencyKey),
  }
}

interface RunRow {
  id: string
  projectId: string
  agentId: string | null
  keyId: string | null
  trust: string
}

async function findRun(sql: Sql, orgId: string, id: string): Promise<RunRow | undefined> {
  const [row] = await sql<RunRow[]>`
    select id, project_id as "projectId", agent_id as "agentId", key_id as "keyId", trust from runs
    where org_id = ${orgId} and id = ${id}`
  return row
}
