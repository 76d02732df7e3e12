import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { Pool } from '../../../../database/database.ts'
import type { FoundModel } from '../../../../language-models/models.ts'
import { SAME_EVERYWHERE } from '../../../../observability/metrics.ts'

const FIRST_TOKEN_SECONDS = [0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60, 120]

export type RunMetrics = ReturnType<typeof createRunMetrics>

interface FinishedAttempt {
  provider: string
  state: 'done' | 'failed'
  usage: { input: number; output: number } | null
  cost: string | null
  startedAt: Date
  firstTokenAt: Date | null
}

/** Organizations' own providers share one label: their number is unlimited. */
export const providerLabel = (found: FoundModel) =>
  found.kind === 'unknown' || found.provider.source === 'organization' ? 'organization' : found.provider.id

/** Waiting work is counted in the database at each scrape. */
export function createRunMetrics() {
  const counter = (name: string, help: string, labelNames: string[]) =>
    new Counter({ name, help, labelNames, registers: [] })
  const steps = counter('atrium_agent_steps_total', 'Agent model calls by provider and outcome', [
    'provider',
    'state',
  ])
  const tokens = counter('atrium_agent_tokens_total', 'Tokens by provider and direction', [
    'provider',
    'direction',
  ])
  const cost = counter('atrium_agent_cost_dollars_total', 'Model call cost with a known price', ['provider'])
  const guardrails = counter(
    'atrium_agent_guardrail_matches_total',
    'Guardrail matches by stage and action',
    ['stage', 'action'],
  )
  const citations = counter(
    'atrium_agent_citations_total',
    'Citation keys in answers: given by a search, or unknown and so removed',
    ['state'],
  )
  const firstToken = new Histogram({
    name: 'atrium_agent_first_token_seconds',
    help: 'Time from model call start to first token',
    labelNames: ['provider'],
    buckets: FIRST_TOKEN_SECONDS,
    registers: [],
  })

  return {
    attemptEnded({ provider, state, usage, cost: amount, startedAt, firstTokenAt }: FinishedAttempt): void {
      steps.inc({ provider, state })
      if (firstTokenAt)
        firstToken.observe({ provider }, (firstTokenAt.getTime() - startedAt.getTime()) / 1000)
      if (usage) tokens.inc({ provider, direction: 'input' }, usage.input)
      if (usage) tokens.inc({ provider, direction: 'output' }, usage.output)
      if (amount !== null) cost.inc({ provider }, Number(amount))
    },
    cited({ given, unknown }: { given: number; unknown: number }): void {
      if (given > 0) citations.inc({ state: 'given' }, given)
      if (unknown > 0) citations.inc({ state: 'unknown' }, unknown)
    },
    guardrailMatched: (labels: { stage: string; action: string }): void => guardrails.inc(labels),
    register(registry: Registry, pool: Pool): void {
      for (const metric of [steps, tokens, cost, guardrails, citations, firstToken])
        registry.registerMetric(metric as never)
      new Gauge({
        name: 'atrium_agent_runs',
        help: 'Agent runs that have not ended, by status',
        aggregator: SAME_EVERYWHERE,
        labelNames: ['status'],
        registers: [registry],
        async collect() {
          this.reset()
          for (const { status, count } of await countActive(pool)) this.set({ status }, count)
        },
      })
      new Gauge({
        name: 'atrium_agent_approvals_waiting',
        help: 'Open approvals and questions',
        aggregator: SAME_EVERYWHERE,
        registers: [registry],
        async collect() {
          const [row] = await pool<{ count: number }[]>`select count(*) from approvals where decision is null`
          this.set(row!.count)
        },
      })
    },
  }
}

const countActive = (pool: Pool) => pool<{ status: string; count: number }[]>`
  select s.status, (select count(*) from runs r where r.agent_id is not null and r.status = s.status
    and r.status in ('queued', 'running', 'waiting')) as count
  from unnest(array['queued', 'running', 'waiting']) s (status)`
