import type { RunEvent } from '../../../../../contract/agents/run-events.ts'
import { toolLabel } from '../../../../../contract/agents/tool-label.ts'
import type { Sql } from '../../../../database/database.ts'
import { newId } from '../../../../security/ids.ts'
import { type Answer, CALLS_PER_STEP_MAX, type RequestedCall } from '../state/answer.ts'
import type { RunAgent } from '../state/prompt.ts'
import type { EngineRun } from '../state/run-row.ts'
import type { RunTool } from '../state/run-tool.ts'
import type { NewApproval } from './approval-queries.ts'
import { type CallRow, ordinalIn } from './call-queries.ts'
import { errorText, finishedEvent, programCallEvent, programCallId } from './end-calls.ts'
import { type Grant, policyFor } from './policy.ts'

/** An undecided approval counts as denied after a day. */
const APPROVAL_HOURS = 24

export type PlannedCall = Omit<CallRow, 'attempts' | 'childRunId' | 'images'>

export function planCalls(
  tools: ReadonlyMap<string, RunTool>,
  run: EngineRun,
  agent: RunAgent,
  step: number,
  answer: Pick<Answer, 'calls'>,
  grants: readonly Grant[],
  covered: ReadonlyMap<string, boolean>,
  targets: CallTargets,
  now: Date,
  program?: ProgramPlace,
): { calls: PlannedCall[]; approvals: NewApproval[]; events: RunEvent[] } {
  const approvals: NewApproval[] = []
  const events: RunEvent[] = []
  const calls = answer.calls.map((requested, index): PlannedCall => {
    const ordinal = program ? ordinalIn(program.parent.ordinal, program.firstNumber + index) : index + 1
    const call = planCall(tools.get(requested.tool), requested, {
      run,
      agent,
      step,
      ordinal,
      grants,
      covered,
      targets,
      parent: program?.parent.ordinal ?? null,
    })
    events.push(calledEvent(call))
    const { tool } = call
    if (call.state === 'approval') {
      const approval = approvalOf(tools.get(tool)!, call, now)
      approvals.push(approval)
      events.push(requestedEvent(call, approval))
      return { ...call, approvalId: approval.id }
    }
    if (call.state !== 'pending' && call.parent === null)
      events.push(finishedEvent(call as CallRow, { state: call.state as 'failed', output: call.output }))
    return call
  })
  return { calls, approvals, events }
}

interface PlanOptions {
  run: EngineRun
  agent: RunAgent
  step: number
  ordinal: number
  grants: readonly Grant[]
  covered: ReadonlyMap<string, boolean>
  targets: CallTargets
  parent: number | null
}

/** For calls that a program makes. */
export interface ProgramPlace {
  parent: Pick<CallRow, 'ordinal' | 'callId'>
  firstNumber: number
}

function calledEvent(call: PlannedCall): RunEvent {
  const { step: n, ordinal, callId, tool, input, effect, risk, state, output } = call
  if (call.parent === null)
    return { type: 'tool.called', data: { n, ordinal, callId, tool, input, effect, risk } }
  const error = isRefused(state) ? errorText(output) : null
  return programCallEvent(call, state, error, input)
}

const isRefused = (state: PlannedCall['state']) => state === 'failed' || state === 'denied'

/** Where calls may go without an approval. */
export interface CallTargets {
  namedHosts: ReadonlySet<string>
  knownUrls: ReadonlySet<string>
}

/** By call id. Only for tools that have such limits. */
export async function findCoveredCalls(
  sql: Sql,
  run: EngineRun,
  tools: ReadonlyMap<string, RunTool>,
  { calls }: Pick<Answer, 'calls'>,
  now: Date,
): Promise<Map<string, boolean>> {
  const covered = new Map<string, boolean>()
  for (const { callId, tool: name, input } of calls) {
    const tool = tools.get(name)
    const parsed = tool?.isCovered && tool.input.safeParse(input)
    if (parsed?.success) covered.set(callId, await tool!.isCovered!(sql, run, parsed.data, now))
  }
  return covered
}

function planCall(tool: RunTool | undefined, requested: RequestedCall, options: PlanOptions): PlannedCall {
  const { callId, tool: name, input, invalid } = requested
  const base = {
    step: options.step,
    ordinal: options.ordinal,
    callId,
    tool: name,
    input: input ?? null,
    approvalId: null,
    parent: options.parent,
    requestHash: null,
  }
  const refuse = (error: string): PlannedCall => ({
    ...base,
    effect: 'read',
    risk: 'none',
    state: 'failed',
    output: { error },
  })
  if (options.parent === null && options.ordinal > CALLS_PER_STEP_MAX)
    return refuse(`A step can make at most ${CALLS_PER_STEP_MAX} calls: make the rest in the next step`)
  if (!tool) return refuse(`There is no tool ${name}`)
  if (invalid) return refuse(invalid)
  const parsed = tool.input.safeParse(input)
  if (!parsed.success) return refuse(describeProblems(parsed.error.issues))
  const risk =
    typeof tool.risk === 'function'
      ? tool.risk(parsed.data, { ...options.run, ...options.targets })
      : tool.risk
  const { trust } = options.run
  const grantName = tool.grantName?.(parsed.data) ?? name
  const { agent, grants } = options
  const isCovered = options.covered.get(callId)
  const { rule } = tool
  const policy = policyFor({ tool: name, grantName, risk, trust, agent, grants, rule, isCovered })
  const effect = typeof tool.effect === 'function' ? tool.effect(parsed.data) : tool.effect
  const pinned = tool.pin ? { input: tool.pin(parsed.data) } : {}
  const call = { ...base, ...pinned, effect, risk, output: null }
  if (policy === 'deny')
    return { ...call, state: 'denied', output: { error: `The agent is not allowed to use ${name}` } }
  return { ...call, state: policy === 'ask' || tool.asks ? 'approval' : 'pending' }
}

const describeProblems = (issues: readonly { path: PropertyKey[]; message: string }[]) =>
  issues.map(({ path, message }) => `${path.join('.') || 'input'}: ${message}`).join('; ')

const approvalOf = (tool: RunTool, call: PlannedCall, now: Date): NewApproval => ({
  id: newId(),
  step: call.step,
  ordinal: call.ordinal,
  kind: tool.asks ? 'input' : 'approval',
  tool: call.tool,
  risk: call.risk,
  input: call.input,
  // The model may leave out fields with a default.
  summary: tool.summarize?.(tool.input.parse(call.input) as never) ?? toolLabel(call.tool),
  expiresAt: new Date(now.getTime() + APPROVAL_HOURS * 3_600_000),
})

const requestedEvent = (call: PlannedCall, approval: NewApproval): RunEvent => ({
  type: 'approval.requested',
  data: {
    n: call.step,
    ordinal: call.parent ?? call.ordinal,
    callId: call.parent === null ? call.callId : programCallId(call.callId),
    tool: call.tool,
    approvalId: approval.id,
    summary: approval.summary,
    expiresAt: approval.expiresAt.toISOString(),
  },
})
