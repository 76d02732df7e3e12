import type { RunEvent } from '../../../../contract/agents/run-events.ts'
import { dictionary } from '../../../../contract/dictionary.ts'
import { printMessage, sanitize, sanitizeLines, style } from '../../../terminal.ts'
import { callLine } from './call-text.ts'
import { runUrl } from './find.ts'
import { durationText, timeText, WAITS } from './labels.ts'

type Data<T extends RunEvent['type']> = Extract<RunEvent, { type: T }>['data']

interface Call {
  input: unknown
  /** Events for a call that commits with its result arrive together, when it ends. */
  isOneCommit: boolean
  startedAt: number | null
}

interface RenderOptions {
  server: string
  runId: string
  /** Recorded durations by step and ordinal, since a replay has no times. */
  durations?: ReadonlyMap<string, string>
  output?: RunOutput
}

export const callKey = (n: number, ordinal: number): string => `${n}.${ordinal}`

/** Text goes to stdout, everything else to stderr. */
export function createRunView({ server, runId, durations, output = plainOutput() }: RenderOptions) {
  const answer = createAnswerText(output.text)
  const { status } = output
  const calls = new Map<string, Call>()
  let previousAt = performance.now()
  let hasText = false

  const note = (line: string) => {
    status.clear()
    answer.endLine()
    output.message(line)
  }

  const show: { [T in RunEvent['type']]?: (data: Data<T>) => void } = {
    'step.started': ({ attempt }) => {
      if (attempt > 1) note(style('yellow', `  Attempt ${attempt}: the answer starts again`))
      status.show('Waiting for the model…')
    },
    text: ({ text }) => {
      status.clear()
      answer.add(text)
      hasText = true
    },
    reasoning: () => status.show('Reasoning…'),
    'step.finished': ({ state, errorCode }) => {
      status.clear()
      answer.endStep(state === 'done')
      if (state === 'failed')
        note(style('yellow', `  The model call failed: ${sanitize(errorCode ?? 'unknown')}`))
    },
    'tool.called': ({ n, ordinal, input, effect }) =>
      calls.set(callKey(n, ordinal), { input, isOneCommit: effect === 'transaction', startedAt: null }),
    'tool.started': ({ n, ordinal, tool }) => {
      const call = calls.get(callKey(n, ordinal))
      if (call) call.startedAt ??= call.isOneCommit ? previousAt : performance.now()
      status.show(`${sanitize(tool)}…`)
    },
    'tool.finished': ({ n, ordinal, tool, state, output }) => {
      const { input = null, startedAt = null } = calls.get(callKey(n, ordinal)) ?? {}
      const elapsed = startedAt === null ? '' : durationText(performance.now() - startedAt)
      const duration = durations?.get(callKey(n, ordinal)) ?? elapsed
      note(callLine({ tool, input, state, output, duration }, process.stderr))
    },
    'code.called': ({ tool, number, state }) => {
      if (state === 'pending' || state === 'running') status.show(`${sanitize(tool)} (call ${number})…`)
    },
    'code.console': ({ lines }) => {
      for (const { text } of lines) note(style('dim', `  ${sanitize(text)}`))
    },
    'approval.requested': (data) => {
      for (const line of requestLines(runUrl(server, runId), data)) note(line)
    },
    'approval.decided': ({ decision }) =>
      note(style('dim', `  ${DECISIONS[decision] ?? sanitize(decision)}`)),
    'run.waiting': (data) => note(style('dim', waitLine(data))),
    'run.finished': ({ status: end, error }) => {
      status.clear()
      answer.endStep(false)
      if (end === 'failed') note(`${style('red', 'failed')}  ${sanitize(error ?? 'The run failed')}`)
      if (end === 'succeeded' && !hasText) note(style('dim', 'The agent wrote no text'))
      if (end === 'canceled') note(style('yellow', 'Canceled'))
    },
  }

  return {
    show(event: RunEvent): void {
      ;(show[event.type] as ((data: unknown) => void) | undefined)?.(event.data)
      previousAt = performance.now()
    },
    note,
  }
}

/** A message answers a question. Approvals are decided only in the browser. */
export const isQuestion = ({ tool }: Pick<Data<'approval.requested'>, 'tool'>): boolean =>
  tool === 'ask_person'

function requestLines(url: string, data: Data<'approval.requested'>): string[] {
  const summary = sanitizeLines(data.summary).replaceAll('\n', '\n  ')
  if (isQuestion(data)) return [`${style('cyan', '?')} ${summary}`]
  return [
    `${style('yellow', '!')} ${style('bold', 'Approval needed')}: ${summary}`,
    `  Decide by ${timeText(data.expiresAt)}: ${url}`,
  ]
}

function waitLine({ for: reason, until }: Data<'run.waiting'>): string {
  const end = until ? ` until ${timeText(until)}` : ''
  return `  Waiting for ${WAITS[reason] ?? reason}${end}…`
}

const DECISIONS: Record<string, string> = dictionary({
  approved: 'Approved',
  denied: 'Denied',
  answered: 'Answered',
  expired: 'Expired, which counts as denied',
  canceled: 'Canceled',
  superseded: 'Denied by a message',
})

/**
 * A terminal shows text as it arrives. A file or pipe gets a step's text once the step completes, so an aborted attempt
 * leaves nothing there.
 */
function createAnswerText(output: RunOutput['text']) {
  const isLive = output.isTTY === true
  let pending = ''
  let isLineOpen = false
  const write = (text: string) => {
    if (text === '') return
    output.write(isLive ? sanitizeLines(text) : text)
    isLineOpen = !text.endsWith('\n')
  }
  const endLine = () => {
    if (isLineOpen) write('\n')
  }
  return {
    add(text: string): void {
      if (isLive) write(text)
      else pending += text
    },
    /** Drops text from an interrupted or failed attempt. */
    endStep(isDone: boolean): void {
      if (isDone) write(pending)
      pending = ''
      endLine()
    },
    endLine,
  }
}

export interface RunOutput {
  text: Pick<NodeJS.WriteStream, 'isTTY'> & { write: (text: string) => boolean }
  message: (line: string) => void
  status: { show: (text: string) => void; clear: () => void }
}

export const plainOutput = (): RunOutput => ({
  text: process.stdout,
  message: printMessage,
  status: createStatusLine(),
})

/** The next output replaces it. Nothing without a terminal. */
function createStatusLine(stream: NodeJS.WriteStream = process.stderr) {
  let isShown = false
  const clear = () => {
    if (isShown) stream.write('\r\u001b[K')
    isShown = false
  }
  return {
    show(text: string): void {
      if (!stream.isTTY) return
      clear()
      stream.write(style('dim', text, stream))
      isShown = true
    },
    clear,
  }
}
