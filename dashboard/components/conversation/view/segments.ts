import {
  type ApprovalView,
  type AttemptView,
  attemptText,
  type CallView,
  type StepView,
  type TextPart,
} from './run-view.ts'

export type WorkItem =
  | { kind: 'call'; key: string; n: number; call: CallView }
  | { kind: 'thought'; key: string; part: TextPart; isStreaming: boolean }

export type Segment =
  | { kind: 'text'; key: string; part: TextPart; n: number; isFirst: boolean }
  | { kind: 'work'; key: string; items: WorkItem[] }
  /** Without its input for a program's call, whose approval has it. */
  | { kind: 'approval'; key: string; tool: string; input?: unknown; approval: ApprovalView }
  | { kind: 'cut'; key: string; attempt: AttemptView; isLast: boolean }
  | { kind: 'interrupted'; key: string }

/** Thoughts and calls between two texts share one row, even of several steps. */
export function segmentsOf(steps: readonly StepView[]): Segment[] {
  const segments: Segment[] = []
  const addWork = (item: WorkItem) => {
    const last = segments.at(-1)
    if (last?.kind === 'work') last.items.push(item)
    else segments.push({ kind: 'work', key: `work-${item.key}`, items: [item] })
  }
  steps.forEach(({ n, attempts, calls }, at) => {
    const key = `${at}-${n}`
    const lastAttempt = attempts.at(-1)
    // A failed attempt is never the answer, even before another follows.
    const answer = lastAttempt?.state === 'failed' ? undefined : lastAttempt
    for (const attempt of attempts)
      if (attempt !== answer && attempt.parts.length > 0)
        segments.push({
          kind: 'cut',
          key: `${key}-cut-${attempt.attempt}`,
          attempt,
          isLast: attempt === lastAttempt,
        })
    const firstText = answer?.parts.find(({ kind }) => kind === 'text')
    answer?.parts.forEach((part, index) => {
      const isStreaming = answer.state === 'streaming' && index === answer.parts.length - 1
      if (part.kind === 'text')
        segments.push({ kind: 'text', key: `${key}-${index}`, part, n, isFirst: part === firstText })
      else addWork({ kind: 'thought', key: `${key}-${index}`, part, isStreaming })
    })
    if (answer?.state === 'interrupted' && attemptText(answer) !== '')
      segments.push({ kind: 'interrupted', key: `${key}-interrupted` })
    for (const call of calls) {
      const callKey = `${key}-call-${call.ordinal}`
      const { tool, input, approval, program } = call
      if (approval?.decision === null && call.state === 'approval')
        segments.push({ kind: 'approval', key: callKey, tool, input, approval })
      else addWork({ kind: 'call', key: callKey, n, call })
      for (const open of openApprovals(program))
        segments.push({ kind: 'approval', key: `${callKey}-${open.id}`, tool: open.tool, approval: open })
    }
  })
  return segments
}

export const openApprovals = (program: CallView['program']) =>
  program?.approvals.filter(({ decision }) => decision === null) ?? []
