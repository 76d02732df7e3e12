import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { counted } from '../../../../contract/counted.ts'
import { t } from '../../../../contract/text.ts'
import { api } from '../../../api/client.ts'
import { queryClient } from '../../../api/query-client.ts'
import { refreshTables, type Table, type TableChange } from '../../../api/tables.ts'
import { Button } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialogs/dialog.tsx'
import { Failure } from '../../../components/failure.tsx'
import { Name } from '../../../components/name.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { Time } from '../../../components/time.tsx'
import { toastFailure } from '../../../components/toast.tsx'
import { isEditedSince } from './grid/row-writer.ts'

const KINDS: Record<TableChange['kind'], string> = {
  created: t`Created the table`,
  updated: t`Changed the table`,
  deleted: t`Deleted the table`,
  restored: t`Restored the table`,
  columns: t`Changed columns`,
  converted: t`Converted a column`,
  rows: t`Changed rows`,
  imported: t`Imported rows`,
  undone: t`Undid a change`,
}

/** One entry for each change, newest first, each with an undo. */
export function TableHistory({ table, onClose }: { table: Table; onClose: () => void }) {
  const key = ['tables', 'changes', table.id]
  const { data, error, refetch } = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => (await api.tables.changes({ id: table.id }, { signal })).items,
  })
  /** The change whose undo would lose values of others. */
  const [asked, setAsked] = useState<number | null>(null)
  const undo = useMutation({
    mutationFn: (seq: number) => api.tables.undo({ id: table.id, seq, force: seq === asked }),
    onSuccess: async () => {
      await refreshTables()
      await queryClient.invalidateQueries({ queryKey: key })
    },
    onError: (error, seq) => (isEditedSince(error) ? setAsked(seq) : toastFailure(error)),
  })
  return (
    <Dialog title={t`History`} onClose={onClose}>
      {error ? (
        <Failure error={error} onRetry={refetch} />
      ) : !data ? (
        <SkeletonRows />
      ) : (
        <ol className="flex flex-col">
          {data.map((change) => (
            <li
              key={change.seq}
              className="flex items-center gap-12 border-neutral-6 border-b py-8 last:border-b-0"
            >
              <div className="min-w-0 flex-1 text-13">
                <p className={`font-medium ${change.isUndone ? 'text-neutral-11 line-through' : ''}`}>
                  {KINDS[change.kind]}
                  {countsOf(change)}
                </p>
                <p className="text-12 text-neutral-11">
                  <Name>{change.by?.name ?? t`Guest`}</Name>
                  {change.runId && ` · ${t`Agent run`}`}
                  {' · '}
                  <Time at={change.createdAt} />
                </p>
                {asked === change.seq && !change.isUndone && (
                  <p role="alert" className="text-12 text-warning-text">
                    Others have changed the same since. Their values would be lost.
                  </p>
                )}
              </div>
              {table.canEdit && !change.isUndone && change.kind !== 'created' && (
                <Button
                  size="small"
                  look={asked === change.seq ? 'danger' : 'plain'}
                  busy={undo.isPending && undo.variables === change.seq}
                  onClick={() => undo.mutate(change.seq)}
                >
                  {asked === change.seq ? t`Undo anyway` : t`Undo`}
                </Button>
              )}
            </li>
          ))}
        </ol>
      )}
    </Dialog>
  )
}

function countsOf({ created, updated, deleted }: TableChange): string {
  const counts = [
    created > 0 && t`${counted(created, 'row', 'rows')} added`,
    updated > 0 && t`${counted(updated, 'row', 'rows')} changed`,
    deleted > 0 && t`${counted(deleted, 'row', 'rows')} deleted`,
  ].filter(Boolean)
  return counts.length > 0 ? `: ${counts.join(', ')}` : ''
}
