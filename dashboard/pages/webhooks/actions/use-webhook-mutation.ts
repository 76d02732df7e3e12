import { useMutation } from '@tanstack/react-query'
import { isDeclinedStepUp, shortMessage } from '../../../api/explain.ts'
import { refreshWebhooks } from './set-status.ts'

/** A mutation that refetches all webhook queries on success. */
export function useWebhookMutation<T>(
  mutationFn: () => Promise<T>,
  onSuccess: (result: T) => void,
  /** For callers that do not render `failure` themselves. */
  onFailure?: (message: string) => void,
) {
  const mutation = useMutation({
    mutationFn,
    onError: (error) => {
      if (!isDeclinedStepUp(error)) onFailure?.(shortMessage(error))
    },
    onSuccess: (result) => {
      void refreshWebhooks()
      onSuccess(result)
    },
  })
  const failure =
    mutation.error && !isDeclinedStepUp(mutation.error) ? shortMessage(mutation.error) : undefined
  return { run: () => mutation.mutate(), busy: mutation.isPending, failure }
}
