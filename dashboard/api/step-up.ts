import type { ApiFailure } from '../../client/client.ts'
import type { StepUpMethod } from '../../contract/accounts/accounts.ts'
import type { ErrorDetails } from '../../contract/errors.ts'
import { createStore } from '../state/store.ts'

interface StepUpRequest {
  methods: StepUpMethod[]
  answer: (confirmed: boolean) => void
}

const request = createStore<StepUpRequest | null>(null)
let pendingAnswer: Promise<boolean> | null = null

export const useStepUpRequest = request.use

/** Resolves when the user answers the dialog, which concurrent requests share. */
export function requestStepUp(methods: StepUpMethod[]): Promise<boolean> {
  pendingAnswer ??= new Promise<boolean>((answer) => request.set({ methods, answer })).finally(() => {
    pendingAnswer = null
    request.set(null)
  })
  return pendingAnswer
}

export function methodsIn({ details }: ApiFailure): StepUpMethod[] {
  const methods = details && !Array.isArray(details) ? details.methods : undefined
  return Array.isArray(methods) ? methods : ['password']
}

export function invalidFieldsIn({ reason, details }: ApiFailure): ErrorDetails | undefined {
  if (reason !== 'step_up_required' || !details || Array.isArray(details)) return undefined
  return Array.isArray(details.invalid) ? (details.invalid as ErrorDetails) : undefined
}
