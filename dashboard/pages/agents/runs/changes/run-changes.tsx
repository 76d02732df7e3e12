import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { t } from '../../../../../contract/text.ts'
import { type AgentRun, changesQuery, isActive } from '../../../../api/runs.ts'
import { Button } from '../../../../components/button.tsx'
import { Failure } from '../../../../components/failure.tsx'
import { UndoDialog, useUndo } from '../../../../components/runs/undo-dialog.tsx'
import { ScrollEnd } from '../../../../components/table/scroll-end.tsx'
import { Time } from '../../../../components/time.tsx'
import { ChangeRow } from './change-row.tsx'

interface RunChangesProps {
  run: AgentRun
  /** The panel's own buttons undo. */
  withUndo?: boolean
}

export function RunChanges({ run, withUndo = true }: RunChangesProps) {
  const { id, canEdit, restoredAt, undoRunId } = run
  const list = useInfiniteQuery(changesQuery(id))
  const [isUndoing, setUndoing] = useState(false)
  const restore = useUndo(id)
  const items = list.data?.pages.flatMap((page) => page.items) ?? []
  const canUndo = withUndo && canEdit && !isActive(run) && items.length > 0
  return (
    <section aria-label="Changes">
      <header className="flex min-h-32 flex-wrap items-center gap-x-12 gap-y-8 px-16 pt-24 pb-12 md:px-24">
        <h2 className="font-strong">
          Changes{' '}
          {items.length > 0 && !list.hasNextPage && (
            <span className="font-regular text-13 text-neutral-11 tabular-nums">{items.length}</span>
          )}
        </h2>
        {restoredAt && (
          <span className="text-13 text-neutral-11">
            Undone <Time at={restoredAt} />
          </span>
        )}
        <span className="ml-auto">
          {canUndo && !restoredAt && <Button onClick={() => setUndoing(true)}>Undo changes</Button>}
          {canEdit && restoredAt && undoRunId && (
            <Button busy={restore.isPending} onClick={() => restore.mutate({ target: undoRunId })}>
              Restore changes
            </Button>
          )}
        </span>
      </header>
      {list.error && !list.data && <Failure error={list.error} onRetry={() => list.refetch()} />}
      {list.data && items.length === 0 && (
        <p className="px-16 pb-24 text-13 text-neutral-11 md:px-24">
          {isActive(run) ? t`No changes so far.` : t`No blocks, connections, files or memories changed.`}
        </p>
      )}
      {items.length > 0 && (
        <ul aria-label="Changes" className="border-neutral-6 border-t">
          {items.map((change) => (
            <ChangeRow key={`${change.kind} ${change.id}`} runId={id} change={change} />
          ))}
        </ul>
      )}
      <ScrollEnd list={list} loaded={items.length} />
      {isUndoing && <UndoDialog run={run} onClose={() => setUndoing(false)} />}
    </section>
  )
}
