import { useMutation } from '@tanstack/react-query'
import { explainShortly, isDeclinedStepUp } from '../../../api/explain.ts'
import { refreshWebhooks } from './set-status.ts'

/** One thing that a dialog does; what is on the screen is looked up again after it. */
export function useAct<T>(mutationFn: () => Promise<T>, onSuccess: (result: T) => void) {
  const act = useMutation({
    mutationFn,
    onSuccess: (result) => {
      void refreshWebhooks()
      onSuccess(result)
    },
  })
  const failure = act.error && !isDeclinedStepUp(act.error) ? explainShortly(act.error) : undefined
  return { run: () => act.mutate(), busy: act.isPending, failure }
}
