import { useMutation } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { toastFailure } from '../toast.tsx'

/** Cancels the active run. `isStopping` stays true until the run has ended. */
export function useStop(runId: string | undefined) {
  const cancel = useMutation({
    mutationFn: (id: string) => api.agentRuns.cancel({ id }),
    onError: toastFailure,
  })
  return {
    run: () => {
      if (runId !== undefined && !cancel.isPending) cancel.mutate(runId)
    },
    isStopping: runId !== undefined && cancel.variables === runId && !cancel.isError,
  }
}
