import { api } from '../../../api/client.ts'
import { explainShortly } from '../../../api/explain.ts'
import { queryClient } from '../../../api/query-client.ts'
import { toast } from '../../../components/toast.tsx'

export const refreshPast = (projectId: string) =>
  queryClient.invalidateQueries({ queryKey: ['canvas-past', projectId] })

interface Restored {
  snapshotId: string
  created: number
  updated: number
  deleted: number
}

/** Brings an earlier canvas back, says what that did, and offers the way back from it. */
export async function restore(projectId: string, bring: () => Promise<Restored>) {
  try {
    const done = await bring()
    const { snapshotId } = done
    toast(wordsFor(done), { label: 'Undo', run: () => void undoRestore(projectId, snapshotId) })
  } catch (error) {
    toast(explainShortly(error))
  }
  await refreshPast(projectId)
}

export async function undoRestore(projectId: string, snapshotId: string) {
  try {
    await api.canvas.restoreSnapshot({ projectId, snapshotId })
    toast('The canvas is as it was before')
  } catch (error) {
    toast(explainShortly(error))
  }
  await refreshPast(projectId)
}

function wordsFor({ created, updated, deleted }: Restored): string {
  const parts = [
    created > 0 && `${created} back`,
    updated > 0 && `${updated} as before`,
    deleted > 0 && `${deleted} removed`,
  ].filter(Boolean)
  return parts.length === 0 ? 'The canvas is like that already' : `Restored: ${parts.join(', ')}`
}
