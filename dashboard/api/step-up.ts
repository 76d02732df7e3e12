import { createStore } from '../state/store.ts'

type Answer = (confirmed: boolean) => void

/** The call that waits for the person to confirm who they are; null while nobody is asked. */
const question = createStore<Answer | null>(null)
let pending: Promise<boolean> | null = null

export const useStepUpQuestion = question.use

/** Resolves once the person has answered the dialog; calls that arrive meanwhile share the one question. */
export function askToStepUp(): Promise<boolean> {
  pending ??= new Promise<boolean>((resolve) => question.set(resolve)).finally(() => {
    pending = null
    question.set(null)
  })
  return pending
}
