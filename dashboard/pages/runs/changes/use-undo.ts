import { useMutation } from '@tanstack/react-query'
import { api } from '../../../api/client.ts'
import { queryClient } from '../../../api/query-client.ts'
import { toast, toastFailure } from '../../../components/toast.tsx'

interface UndoInput {
  /** The run to undo: the run of the page, or the run that undid it. */
  target: string
  force?: boolean
}

/** Undoes a run, or an undo, and offers to undo that again. */
export function useUndo(runId: string, onDone: () => void = () => {}) {
  const undo = useMutation({
    mutationFn: ({ target, force }: UndoInput) =>
      api.agentRuns.undo({ id: target, ...(force && { force: 'true' as const }) }),
    onSuccess: async ({ undoRunId, items }, { target }) => {
      const count = items.length === 1 ? '1 item' : `${items.length} items`
      const back = undoRunId ? { label: 'Undo', run: () => undo.mutate({ target: undoRunId }) } : undefined
      toast(target === runId ? `Undid the changes of ${count}` : `Restored the changes of ${count}`, back)
      onDone()
      await queryClient.invalidateQueries({ queryKey: ['runs'] })
    },
    onError: toastFailure,
  })
  return undo
}
