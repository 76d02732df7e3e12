import type { ApiFailure } from '../../client/client.ts'
import type { StepUpMethod } from '../../contract/accounts/accounts.ts'
import { createStore } from '../state/store.ts'

interface Question {
  /** The ways this person can prove who they are. */
  methods: StepUpMethod[]
  answer: (confirmed: boolean) => void
}

/** What the calls that wait for the person to confirm who they are ask; null while nobody is asked. */
const question = createStore<Question | null>(null)
let pending: Promise<boolean> | null = null

export const useStepUpRequest = question.use

/** Resolves once the person has answered the dialog; calls that arrive meanwhile share the one question. */
export function requestStepUp(methods: StepUpMethod[]): Promise<boolean> {
  pending ??= new Promise<boolean>((answer) => question.set({ methods, answer })).finally(() => {
    pending = null
    question.set(null)
  })
  return pending
}

/** The ways that the refusal itself names. */
export function methodsIn({ details }: ApiFailure): StepUpMethod[] {
  const methods = details && !Array.isArray(details) ? details.methods : undefined
  return Array.isArray(methods) ? methods : ['password']
}
