import type { z } from 'zod'
import type { OutputSchema } from '../../../../../contract/agents/output-rules.ts'
import type { RUN_WAITS, WaitingBudget, WaitingFailure } from '../../../../../contract/agents/run-events.ts'
import type { Fragment, Sql } from '../../../../database/database.ts'
import { claimFairly, type OrganizationClaim, type Queue } from '../../../../jobs/claim-fairly.ts'
import type { Trust } from '../../../../tools/tool.ts'
import type { LeasedRun } from './lease.ts'

export type RunStatus = 'queued' | 'running' | 'waiting' | 'succeeded' | 'failed' | 'canceled'

export const isEnded = (status: RunStatus): boolean =>
  status === 'succeeded' || status === 'failed' || status === 'canceled'

/** `released`: the run has ended or waits. */
export type StepEnd = 'next' | 'released'

export interface RunWait {
  for: (typeof RUN_WAITS)[number]
  since: string
  /** Null if it waits for a decision. */
  until: string | null
  budget?: z.output<typeof WaitingBudget>
  failure?: z.output<typeof WaitingFailure>
}

export interface EngineRun extends LeasedRun {
  kind: 'agent' | 'workflow'
  projectId: string
  agentId: string
  agentVersion: number
  parentRunId: string | null
  parentStep: number | null
  parentOrdinal: number | null
  depth: number
  blockId: string | null
  trigger: string
  trust: Trust
  model: string
  status: RunStatus
  createdBy: string
  keyId: string | null
  cancelRequestedAt: string | null
  maxSteps: number
  deadlineAt: string
  providerFailures: number
  retrySince: string | null
  createdAt: string
  startedAt: string | null
  faults: number
  /** Null if the answer is free text. */
  outputSchema: OutputSchema | null
  /** How often the model was asked to correct its answer. */
  outputRepairs: number
  /** Runs a program and asks no model. */
  isProgram: boolean
  /** An item of a list, or started by one. */
  isBulk: boolean
  /** From the request, event or job that started it. */
  trace: string | null
}

export const engineColumns = (sql: Sql): Fragment => sql`
  r.org_id as "orgId", r.id, r.session_id as "sessionId", r.kind, r.project_id as "projectId", r.agent_id as "agentId",
  r.agent_version as "agentVersion", r.parent_run_id as "parentRunId", r.parent_step as "parentStep",
  r.parent_ordinal as "parentOrdinal", r.depth, r.block_id as "blockId", r.trigger, r.trust, r.model, r.status, r.lease,
  r.created_by as "createdBy", r.key_id as "keyId", r.cancel_requested_at as "cancelRequestedAt",
  r.max_steps as "maxSteps", r.deadline_at as "deadlineAt", r.provider_failures as "providerFailures",
  r.retry_since as "retrySince", r.created_at as "createdAt",
  r.started_at as "startedAt", r.faults, r.output_schema as "outputSchema", r.output_repairs as "outputRepairs",
  r.is_program as "isProgram", r.is_bulk as "isBulk", r.trace`

export const RUNS_QUEUE: Queue = { table: 'runs', key: ['id'], indexedBy: 'org_id', bulk: 'is_bulk' }

/** Includes a killed worker's runs after its lease. */
export const claimRuns = (sql: Sql, claim: OrganizationClaim) => sql<EngineRun[]>`
  with r as (${claimFairly(sql, RUNS_QUEUE, claim, {
    lease: sql`lease = t.lease + 1, status = 'running', wait = null, due_at = ${claim.leasedUntil},
      deadline_at = case when t.wait ->> 'for' in ('budget', 'child', 'preview', 'form', 'event', 'time') then
        t.deadline_at + greatest(${claim.now}::timestamptz - (t.wait ->> 'since')::timestamptz, interval '0') else t.deadline_at end`,
    returning: sql`t.*`,
  })})
  select ${engineColumns(sql)} from r`

export async function lockRun(sql: Sql, orgId: string, runId: string) {
  const [run] = await sql<(EngineRun & { wait: RunWait | null })[]>`
    select ${engineColumns(sql)}, r.wait from runs r
    where r.org_id = ${orgId} and r.id = ${runId} and r.agent_id is not null for update`
  return run
}

export const lowestTrust = (trusts: readonly Trust[]): Trust =>
  (['untrusted', 'verified'] as const).find((trust) => trusts.includes(trust)) ?? 'trusted'

/** Trust never rises. */
export const lowerTrust = (sql: Sql, { orgId, id }: Pick<LeasedRun, 'orgId' | 'id'>, to: Trust) => sql`
  update runs set trust = ${to}
  where org_id = ${orgId} and id = ${id} and trust <> ${to} and (trust = 'trusted' or ${to}::text = 'untrusted')`

/** The worker may have lowered it since the claim. */
export async function readRunTrust(sql: Sql, { orgId, id }: Pick<LeasedRun, 'orgId' | 'id'>): Promise<Trust> {
  const [row] = await sql<{ trust: Trust }[]>`select trust from runs where org_id = ${orgId} and id = ${id}`
  return row!.trust
}
