import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Undo2 } from 'lucide-react'
import { useState } from 'react'
import { conversationRunsQuery } from '../../../api/conversations.ts'
import { type AgentRun, changesQuery, isActive } from '../../../api/runs.ts'
import { Button } from '../../../components/button.tsx'
import { UndoDialog } from '../../agents/runs/changes/undo-dialog.tsx'

/** Undoes the changes of the latest run of a conversation after it has ended. */
export function UndoChanges({ sessionId }: { sessionId: string }) {
  const runs = useQuery(conversationRunsQuery(sessionId))
  const run = runs.data?.items[0]
  return run?.canEdit && !isActive(run) && !run.restoredAt ? <UndoButton key={run.id} run={run} /> : null
}

function UndoButton({ run }: { run: AgentRun }) {
  const changes = useInfiniteQuery(changesQuery(run.id))
  const [isOpen, setOpen] = useState(false)
  if (!changes.data?.pages.some(({ items }) => items.length > 0)) return null
  return (
    <>
      <Button
        look="quiet"
        size="small"
        title="Undo the changes of the last answer"
        onClick={() => setOpen(true)}
      >
        <Undo2 aria-hidden className="icon" />
        Undo changes
      </Button>
      {isOpen && <UndoDialog run={run} onClose={() => setOpen(false)} />}
    </>
  )
}
