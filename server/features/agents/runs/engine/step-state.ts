import type { Sql } from '../../../../database/database.ts'
import type { FoundModel } from '../../../../language-models/models.ts'
import { mayBeLimited } from '../../../billing/budgets/budgets.ts'
import { hasMandate } from '../../../billing/machine-payments/machine-payments.ts'
import { storedMemory } from '../../../knowledge/memory/memory.ts'
import type { StoredSettings } from '../../../organizations/settings/settings.ts'
import { queuedExists, summariesExist } from '../../conversations/conversations.ts'
import { hasRules } from '../../guardrails/guardrails.ts'
import type { RemarkedCall } from '../calls/approval-queries.ts'
import { projectPrompt } from '../context/system-prompt.ts'
import { formatsExist } from '../results/queries.ts'
import { type LeasedRun, LeaseLost } from '../state/lease.ts'
import type { PromptParts, ReadMessages } from '../state/prompt.ts'
import { type RunRights, selectRights } from '../state/run-caller.ts'
import { type EngineRun, engineColumns } from '../state/run-row.ts'
import { isUncounted, type StepRow } from '../state/step-queries.ts'

export interface StepState extends PromptParts {
  run: EngineRun
  /** Null if the run's user or key lost access. */
  rights: RunRights | null
  last: StepRow | null
  calls: RemarkedCall[]
  interruptions: number
  hasQueued: boolean
  hasGuardrails: boolean
  /** For its agent, project or key. */
  hasMandate: boolean
  /** A budget may apply to the next model call. */
  isLimited: boolean
  /** Null means the defaults. */
  policy: StoredSettings | null
}

export interface CachedRun {
  state: StepState
  read: ReadMessages | null
  foundModel?: FoundModel
}

type StateRow = EngineRun & Omit<StepState, 'run'>

/** In one statement. */
export async function readState(
  sql: Sql,
  { orgId, id, sessionId, lease }: LeasedRun,
  now: Date,
): Promise<StepState> {
  const [row] = await sql<StateRow[]>`
    select ${engineColumns(sql)}, ${selectRights(sql)} as rights, l.step as last,
      ${queuedExists(sql, orgId, sessionId)} as "hasQueued", ${hasRules(sql, orgId)} as "hasGuardrails",
      ${hasMandate(sql, now)} as "hasMandate", ${mayBeLimited(sql)} as "isLimited", (select o.settings from org_settings o where o.org_id = r.org_id) as policy,
      (${projectPrompt(sql, orgId)} and p.id = r.project_id) as project, ${storedMemory(sql, orgId, id)} as memory,
      ${summariesExist(sql, orgId, sessionId)} as "hasSummaries", ${formatsExist(sql, orgId, sessionId)} as "hasFormats", (
        select count(*)::int from run_steps s
        where s.org_id = r.org_id and s.run_id = r.id and s.n = l.n and s.state in ('interrupted', 'streaming')
          and not ${isUncounted(sql)}) as interruptions, coalesce((
        select json_agg(json_build_object('step', c.step, 'ordinal', c.ordinal, 'callId', c.call_id, 'tool', c.tool,
          'input', c.input, 'effect', c.effect, 'risk', c.risk, 'state', c.state, 'attempts', c.attempts,
          'output', c.output, 'images', c.images, 'approvalId', c.approval_id, 'childRunId', c.child_run_id,
          'parent', c.parent, 'requestHash', c.request_hash, 'editedInput', a.edited_input, 'note', a.note) order by c.ordinal)
        from run_calls c
        left join approvals a on a.org_id = c.org_id and a.id = c.approval_id and a.decision = 'approved'
        where c.org_id = r.org_id and c.run_id = r.id and c.step = l.n and c.parent is null), '[]') as calls
    from runs r
    left join lateral (
      select s.n, json_build_object('n', s.n, 'attempt', s.attempt, 'state', s.state, 'kind', s.kind,
        'errorCode', s.error_code, 'finish', s.finish, 'model', s.model) as step
      from run_steps s where s.org_id = r.org_id and s.run_id = r.id order by s.n desc, s.attempt desc limit 1
    ) l on true
    where r.org_id = ${orgId} and r.id = ${id} and r.lease = ${lease} and r.status = 'running'`
  if (!row) throw new LeaseLost()
  return { ...row, run: row }
}
