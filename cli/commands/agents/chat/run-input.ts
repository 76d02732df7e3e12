import type { RunEvent } from '../../../../contract/agents/run-events.ts'
import { Failure } from '../../../failure.ts'
import { isQuestion } from '../runs/render-run.ts'
import { type Editor, openEditor } from './editor.ts'

interface RunInputOptions {
  sessionId: string
  /** The lines that the arrow keys show again; null without a terminal. */
  history: string[] | null
  /** Whether a person can type during the whole run, or only to answer a question. */
  canSteer: boolean
  /** Text that the person typed before and did not send. */
  draft?: string
}

/** A message that a person typed; null for the end of the input. */
export interface TypedMessage {
  text: string | null
}

export type RunInput = ReturnType<typeof createRunInput>

/** Reads input during a run. The prompt shows the effect of a message: it joins the run, or answers or denies. */
export function createRunInput({ sessionId, history, canSteer, draft = '' }: RunInputOptions) {
  const questions = new Map<string, string>()
  const approvals = new Set<string>()
  const typedMessages: TypedMessage[] = []
  let wake = () => {}
  let editor: Editor | null = null

  const receive = (text: string | null) => {
    typedMessages.push({ text })
    wake()
  }
  const open = () => {
    if (history && !editor)
      editor = openEditor({ prompt: promptOf(), history, draft, onMessage: receive, onEnd: receive })
  }
  const promptOf = () => {
    if (approvals.size > 0) return DENY_PROMPT
    return questions.size > 0 ? ANSWER_PROMPT : STEER_PROMPT
  }
  if (canSteer) open()

  return {
    /** The line that a person types; null while there is none. */
    editor: () => editor,
    hasQuestion: () => questions.size > 0,

    /** Resolves when a person has typed a message, which `take` returns. */
    waitForMessage: (): Promise<void> =>
      typedMessages.length > 0 ? Promise.resolve() : new Promise((resolve) => (wake = resolve)),
    /** Removes and returns the first message, or the first that meets the condition. */
    take(condition: (text: string | null) => boolean = () => true): TypedMessage | undefined {
      const index = typedMessages.findIndex(({ text }) => condition(text))
      return index === -1 ? undefined : typedMessages.splice(index, 1)[0]
    },

    track(event: RunEvent): void {
      if (event.type === 'approval.requested') {
        const { approvalId, summary } = event.data
        if (isQuestion(event.data)) questions.set(approvalId, summary)
        else approvals.add(approvalId)
      }
      if (event.type === 'approval.decided') {
        questions.delete(event.data.approvalId)
        approvals.delete(event.data.approvalId)
      }
      // A message would deny an open approval, so the line for an answer opens only when no approval is open.
      const [question] = questions.values()
      if (event.type === 'run.waiting' && question !== undefined && approvals.size === 0) {
        if (!history) throw unansweredQuestion(sessionId, question)
        open()
      }
      editor?.setPrompt(promptOf())
    },

    /** Returns the text typed so far. */
    close(): string {
      const text = editor?.close() ?? ''
      editor = null
      return text
    },
  }
}

const STEER_PROMPT = '> '
const ANSWER_PROMPT = 'answer> '
const DENY_PROMPT = 'message, denies the approval> '

const unansweredQuestion = (sessionId: string, question: string) =>
  new Failure(
    'failed',
    `The agent asks a question, and there is no terminal to answer it in: ${question}`,
    `Answer with: npx atrium chat --session ${sessionId} "…"`,
  )
