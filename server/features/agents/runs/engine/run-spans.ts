import { providerName } from '../../../../observability/gen-ai.ts'
import { recordSpan, runSpanId, runTraceparent, type SpanStart } from '../../../../observability/tracing.ts'
import type { EngineRun, RunStatus } from '../state/run-row.ts'
import type { StepState } from './step-state.ts'

/** From its claim until the run waits or ends. */
export const claimSpan = (run: EngineRun): SpanStart => ({
  name: 'process run',
  kind: 'consumer',
  parent: runTraceparent(run),
  inherited: attributesOf(run),
})

export const stepSpan = ({ last }: StepState): SpanStart => ({
  name: 'run step',
  attributes: { 'atrium.run.step': last?.n ?? 1 },
})

/** The claims' parent. Without a trace, each claim has its own. */
export function recordRun(
  run: EngineRun,
  { status, errorCode, now }: { status: RunStatus; errorCode: string | null; now: Date },
): void {
  if (run.trace === null) return
  const [provider, ...model] = run.model.split('/')
  recordSpan(
    {
      name: 'invoke_agent',
      parent: run.trace,
      spanId: runSpanId(run.id),
      startTime: new Date(run.createdAt),
      attributes: {
        ...attributesOf(run),
        'gen_ai.operation.name': 'invoke_agent',
        'gen_ai.provider.name': providerName(provider!),
        'gen_ai.request.model': model.join('/'),
        'atrium.run.status': status,
        'atrium.run.trigger': run.trigger,
      },
    },
    { end: now, failure: errorCode },
  )
}

const attributesOf = ({ orgId, id, agentId, sessionId }: EngineRun) => ({
  'gen_ai.agent.id': agentId,
  'gen_ai.conversation.id': sessionId,
  'atrium.organization.id': orgId,
  'atrium.run.id': id,
})
