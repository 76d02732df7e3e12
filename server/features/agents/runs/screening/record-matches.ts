import type { GuardrailStage } from '../../../../../contract/agents/guardrail-options.ts'
import type { RunEvent } from '../../../../../contract/agents/run-events.ts'
import type { Sql } from '../../../../database/database.ts'
import { newId } from '../../../../security/ids.ts'
import type { RuleMatches } from '../../guardrails/guardrails.ts'
import type { Engine } from '../engine/engine.ts'
import { append } from '../engine/lease.ts'
import type { EngineRun } from '../engine/run-row.ts'

interface MatchLocation {
  step: number
  stage: GuardrailStage
  callId?: string
}

/** Stores and reports which rules matched, without the text that matched. */
export async function recordMatches(
  engine: Pick<Engine, 'metrics'>,
  sql: Sql,
  run: EngineRun,
  { step, stage, callId }: MatchLocation,
  matched: readonly RuleMatches[],
  now: Date,
): Promise<void> {
  if (matched.length === 0) return
  const rows = matched.map(({ rule, labels }) => ({
    id: newId(),
    guardrailId: rule.id,
    name: rule.name,
    action: rule.action,
    labels,
  }))
  const events = rows.map(
    ({ id: _id, ...row }): RunEvent => ({
      type: 'guardrail.matched',
      data: { n: step, stage, callId: callId ?? null, ...row },
    }),
  )
  // The lease is checked first, and the rows of a worker that lost it are not stored.
  await append(sql, run, events, now)
  await sql`
    with matches as (
      insert into guardrail_matches (org_id, run_id, id, step, call_id, guardrail_id, name, stage, action, labels, at)
      select ${run.orgId}, ${run.id}, m.id, ${step}, ${callId ?? null}, m."guardrailId", m.name, ${stage}, m.action, m.labels, ${now}
      from jsonb_to_recordset(${sql.json(rows as never)})
        as m (id uuid, "guardrailId" uuid, name text, action text, labels jsonb)
    )
    update runs set guardrail_matches = guardrail_matches + ${rows.length}
    where org_id = ${run.orgId} and id = ${run.id}`
  for (const { action } of rows) engine.metrics.guardrailMatched({ stage, action })
}
