import { useMutation } from '@tanstack/react-query'
import { api } from '../../../../api/client.ts'
import { queryClient } from '../../../../api/query-client.ts'
import { toast, toastFailure } from '../../../../components/toast.tsx'

interface UndoInput {
  /** The run to undo: the run of the page, or the run that undid it. */
  target: string
  force?: boolean
}

/** Undoes a run, or a former undo; the toast offers to undo it. */
export function useUndo(runId: string, onDone: () => void = () => {}) {
  const undo = useMutation({
    mutationFn: ({ target, force }: UndoInput) =>
      api.agentRuns.undo({ id: target, ...(force && { force: 'true' as const }) }),
    onSuccess: async ({ undoRunId, items }, { target }) => {
      const count = items.length === 1 ? '1 item' : `${items.length} items`
      const action = undoRunId ? { label: 'Undo', run: () => undo.mutate({ target: undoRunId }) } : undefined
      toast(target === runId ? `Undid the changes to ${count}` : `Restored the changes to ${count}`, action)
      onDone()
      await queryClient.invalidateQueries({ queryKey: ['runs'] })
    },
    onError: toastFailure,
  })
  return undo
}
