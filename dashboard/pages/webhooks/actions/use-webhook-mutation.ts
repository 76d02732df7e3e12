import { useMutation } from '@tanstack/react-query'
import { explainShortly, isDeclinedStepUp } from '../../../api/explain.ts'
import { refreshWebhooks } from './set-status.ts'

/** One thing that a dialog or a button does; what is on the screen is looked up again after it. */
export function useWebhookMutation<T>(
  mutationFn: () => Promise<T>,
  onSuccess: (result: T) => void,
  /** For what has no room of its own to say it in. */
  onFailure?: (words: string) => void,
) {
  const act = useMutation({
    mutationFn,
    onError: (error) => {
      if (!isDeclinedStepUp(error)) onFailure?.(explainShortly(error))
    },
    onSuccess: (result) => {
      void refreshWebhooks()
      onSuccess(result)
    },
  })
  const failure = act.error && !isDeclinedStepUp(act.error) ? explainShortly(act.error) : undefined
  return { run: () => act.mutate(), busy: act.isPending, failure }
}
