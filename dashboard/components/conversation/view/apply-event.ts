import {
  type ApprovalView,
  type AttemptView,
  type CallState,
  type CallView,
  listSteps,
  type NumberedEvent,
  type ProgramProgress,
  type RunStatus,
  type RunView,
  type StepView,
  type TextPart,
} from './run-view.ts'

/**
 * Ignores a repeated event, and one after a gap: the caller reads the missing events. Unknown types only advance the
 * number, so an older page can follow a newer server.
 */
export function applyEvent(run: RunView, event: NumberedEvent): RunView {
  if (event.seq !== run.seq + 1) return run
  return { ...change(run, event.type, event.data), seq: event.seq }
}

export const isGap = (run: RunView, { seq }: NumberedEvent) => seq > run.seq + 1

/** Named as in the contract. Events from an unknown version may lack any field. */
// biome-ignore lint/suspicious/noExplicitAny: events are data from the server, read field by field.
type Data = Record<string, any>

function change(run: RunView, type: string, data: Data): RunView {
  switch (type) {
    case 'run.started':
      return { ...run, status: 'running', model: data.model }
    case 'step.started':
      return startAttempt(run, data)
    case 'text':
    case 'reasoning':
      return changeAttempt(run, data, (attempt) => ({
        ...attempt,
        parts: appendPart(attempt.parts, { kind: type, text: data.text }),
      }))
    case 'step.finished':
      return finishAttempt(run, data)
    case 'tool.called':
      return changeStep(run, data.n, (step) => ({ ...step, calls: [...step.calls, callOf(data)] }))
    case 'tool.started':
      return changeCall(run, data, (call) => ({ ...call, state: 'running' }))
    case 'tool.finished':
      return changeCall(run, data, (call) => ({
        ...call,
        state: data.state as CallState,
        output: data.output,
      }))
    case 'code.called':
      return changeProgram(run, data, (program) => ({
        ...program,
        callCount: Math.max(program.callCount, data.number),
      }))
    case 'code.console':
      return changeProgram(run, data, (program) => program)
    case 'approval.requested':
      return request(run, data)
    case 'approval.decided':
      return decide(run, data)
    case 'message':
      return data.role === 'user' ? joinMessage(run, data.messageId) : run
    case 'run.waiting':
      return {
        ...run,
        status: 'waiting',
        wait: {
          for: data.for,
          until: data.until ?? null,
          ...(data.budget && { budget: data.budget }),
          ...(data.failure && { failure: data.failure }),
        },
      }
    case 'run.resumed':
      return { ...run, status: 'running', wait: null }
    case 'run.finished':
      return finish(run, data)
    default:
      return run
  }
}

function finishAttempt(run: RunView, data: Data): RunView {
  const finished = changeAttempt(run, data, (attempt) => ({
    ...attempt,
    state: data.state,
    errorCode: data.errorCode ?? null,
    tokens: data.usage && { input: data.usage.inputTokens, output: data.usage.outputTokens },
  }))
  const { citations } = data
  return citations ? changeStep(finished, data.n, (step) => ({ ...step, citations })) : finished
}

const newAttempt = ({ attempt, model }: Data): AttemptView => ({
  attempt,
  model: model ?? '',
  state: 'streaming',
  parts: [],
  tokens: null,
  errorCode: null,
})

/** A second attempt means the first was cut off. */
function startAttempt(run: RunView, data: Data): RunView {
  const started = changeStep(run, data.n, (step) => ({
    ...step,
    attempts: [...step.attempts.map(interrupt), newAttempt(data)],
  }))
  return { ...started, status: 'running', wait: null, model: data.model ?? run.model }
}

const interrupt = (attempt: AttemptView): AttemptView =>
  attempt.state === 'streaming' ? { ...attempt, state: 'interrupted' } : attempt

function appendPart(parts: readonly TextPart[], part: TextPart): TextPart[] {
  const last = parts.at(-1)
  if (last?.kind !== part.kind) return [...parts, part]
  return [...parts.slice(0, -1), { ...last, text: last.text + part.text }]
}

/** Changes the step's last item: an interrupting message divides a step into two. */
function changeStep(run: RunView, n: number, map: (step: StepView) => StepView): RunView {
  const index = run.items.findLastIndex((item) => item.kind === 'step' && item.n === n)
  const step = run.items[index]
  if (step?.kind !== 'step')
    return { ...run, items: [...run.items, map({ kind: 'step', n, attempts: [], calls: [] })] }
  return { ...run, items: run.items.with(index, map(step)) }
}

function changeAttempt(run: RunView, data: Data, map: (attempt: AttemptView) => AttemptView): RunView {
  return changeStep(run, data.n, (step) => {
    const attempts = step.attempts.some(({ attempt }) => attempt === data.attempt)
      ? step.attempts
      : [...step.attempts, newAttempt(data)]
    return { ...step, attempts: attempts.map((each) => (each.attempt === data.attempt ? map(each) : each)) }
  })
}

const callOf = ({ callId, ordinal, tool, input, risk }: Data): CallView => ({
  callId,
  ordinal,
  tool,
  input,
  risk: risk ?? 'none',
  state: 'called',
  output: null,
  approval: null,
})

/** The ordinal identifies a call: a model may repeat a call id. */
function changeCall(run: RunView, data: Data, map: (call: CallView) => CallView): RunView {
  return changeStep(run, data.n, (step) => {
    const isKnown = step.calls.some(({ ordinal }) => ordinal === data.ordinal)
    const calls = isKnown ? step.calls : [...step.calls, callOf(data)]
    return { ...step, calls: calls.map((call) => (call.ordinal === data.ordinal ? map(call) : call)) }
  })
}

const NO_PROGRESS: ProgramProgress = { callCount: 0, eventCount: 0, approvals: [] }

const changeProgram = (run: RunView, data: Data, map: (program: ProgramProgress) => ProgramProgress) =>
  changeCall(run, data, (call) => {
    const program = map(call.program ?? NO_PROGRESS)
    return { ...call, program: { ...program, eventCount: program.eventCount + 1 } }
  })

/** A program's call names the program's call and its own tool. */
function request(run: RunView, data: Data): RunView {
  const approval: ApprovalView = {
    id: data.approvalId,
    summary: data.summary,
    expiresAt: data.expiresAt,
    decision: null,
    decidedBy: null,
  }
  const { tool } = data
  const step = listSteps(run).findLast(({ n }) => n === data.n)
  const isOfProgram = step?.calls.some((call) => call.ordinal === data.ordinal && call.tool !== tool)
  return isOfProgram
    ? changeProgram(run, data, (program) => ({
        ...program,
        approvals: [...program.approvals, { ...approval, tool }],
      }))
    : changeCall(run, data, (call) => ({ ...call, state: 'approval', approval }))
}

function decide(run: RunView, { approvalId, decision, decidedBy }: Data): RunView {
  const isAsked = ({ approval, program }: CallView) =>
    approval?.id === approvalId || program?.approvals.some(({ id }) => id === approvalId)
  const items = run.items.map((item) => {
    if (item.kind !== 'step' || !item.calls.some(isAsked)) return item
    const calls = item.calls.map((call): CallView => {
      const { approval, program } = call
      if (program && isAsked(call)) {
        const approvals = program.approvals.map((each) =>
          each.id === approvalId ? { ...each, decision, decidedBy: decidedBy ?? null } : each,
        )
        return { ...call, program: { ...program, approvals } }
      }
      if (approval === null || approval.id !== approvalId) return call
      const state = decision === 'approved' ? 'called' : call.state
      return { ...call, state, approval: { ...approval, decision, decidedBy: decidedBy ?? null } }
    })
    return { ...item, calls }
  })
  return { ...run, items }
}

/**
 * The message precedes the attempt that takes it up, although that start is reported first, and follows an earlier
 * attempt.
 */
function joinMessage(run: RunView, messageId: string): RunView {
  const joined = { kind: 'message' as const, messageId }
  const last = run.items.at(-1)
  const attempt = last?.kind === 'step' ? last.attempts.at(-1) : undefined
  if (last?.kind !== 'step' || last.calls.length > 0 || !attempt || attempt.parts.length > 0)
    return { ...run, items: [...run.items, joined] }
  const earlier = last.attempts.slice(0, -1)
  const before = earlier.length > 0 ? [{ ...last, attempts: earlier }] : []
  return { ...run, items: [...run.items.slice(0, -1), ...before, joined, { ...last, attempts: [attempt] }] }
}

function finish(run: RunView, { status, errorCode, error }: Data): RunView {
  const items = run.items.map((item) =>
    item.kind === 'step' && item.attempts.some(({ state }) => state === 'streaming')
      ? { ...item, attempts: item.attempts.map(interrupt) }
      : item,
  )
  return {
    ...run,
    items,
    status: status as RunStatus,
    wait: null,
    errorCode: errorCode ?? null,
    error: error ?? null,
  }
}
