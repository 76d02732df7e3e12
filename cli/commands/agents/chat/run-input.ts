import type { RunEvent } from '../../../../contract/agents/run-events.ts'
import { Failure } from '../../../failure.ts'
import { isQuestion } from '../runs/render-run.ts'
import { type Editor, openEditor } from './editor.ts'

interface RunInputOptions {
  sessionId: string
  /** Lines the arrow keys recall; null without a terminal. */
  history: string[] | null
  /** Whether the user can type during the whole run, or only to answer a question. */
  canSteer: boolean
  /** Typed before, not sent. */
  draft?: string
}

/** Null when the input ends. */
export interface TypedMessage {
  text: string | null
}

export type RunInput = ReturnType<typeof createRunInput>

/** The prompt shows what a message does: joins the run, answers or denies. */
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
    /** Null while there is no input line. */
    editor: () => editor,
    hasQuestion: () => questions.size > 0,

    waitForMessage: (): Promise<void> =>
      typedMessages.length > 0 ? Promise.resolve() : new Promise((resolve) => (wake = resolve)),
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
      // A message would deny an open approval, so the answer line opens only without one.
      const [question] = questions.values()
      if (event.type === 'run.waiting' && question !== undefined && approvals.size === 0) {
        if (!history) throw unansweredQuestion(sessionId, question)
        open()
      }
      editor?.setPrompt(promptOf())
    },

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
    `The agent asked a question, but there is no terminal to answer it in: ${question}`,
    `Answer with: npx atrium chat --session ${sessionId} "…"`,
  )
