import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { ifMatchVersion } from '../../../api/agents.ts'
import { api } from '../../../api/client.ts'
import { failureMessage } from '../../../api/explain.ts'
import { type Memory, memoryQuery, refreshMemory } from '../../../api/memory.ts'
import { Button } from '../../../components/button.tsx'
import { ConfirmDialog } from '../../../components/dialogs/confirm-dialog.tsx'
import { Failure, FormFailure } from '../../../components/failure.tsx'
import { Panel, PanelSection } from '../../../components/layout/panel.tsx'
import { Name, withNames } from '../../../components/name.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { Time } from '../../../components/time.tsx'
import { toast } from '../../../components/toast.tsx'
import { authorOf } from './memory-columns.tsx'
import { MemoryFields } from './memory-fields.tsx'
import { MemoryVersions } from './memory-versions.tsx'
import { MergeDialog } from './merge-dialog.tsx'

/** One memory: its text, who wrote it, and its versions. */
export function MemoryPanel({ id, onClose }: { id: string; onClose: () => void }) {
  const memory = useQuery(memoryQuery(id))
  return (
    <Panel title={memory.data?.key ?? 'Memory'} onClose={onClose}>
      {memory.isPending && <SkeletonRows rows={4} />}
      {memory.error && <Failure error={memory.error} onRetry={() => memory.refetch()} />}
      {memory.data && <Loaded key={memory.data.version} memory={memory.data} onClose={onClose} />}
    </Panel>
  )
}

function Loaded({ memory, onClose }: { memory: Memory; onClose: () => void }) {
  const { id, key, content, tags, version, canEdit } = memory
  const [text, setText] = useState({ key, content, tags })
  const [dialog, setDialog] = useState<'delete' | 'merge'>()
  const save = useMutation({
    mutationFn: () => api.memory.update({ id, ...text }, ifMatchVersion(version)),
    onSuccess: async () => {
      await refreshMemory()
      toast('Saved')
    },
  })
  const isChanged = JSON.stringify(text) !== JSON.stringify({ key, content, tags })
  return (
    <>
      <PanelSection>
        <Origin memory={memory} />
        <form
          className="mt-16"
          aria-label="Memory"
          onSubmit={(event) => {
            event.preventDefault()
            if (!save.isPending) save.mutate()
          }}
        >
          <fieldset disabled={!canEdit} className="flex min-w-0 flex-col gap-16">
            <MemoryFields text={text} error={save.error} onChange={setText} />
            <FormFailure>{failureMessage(save.error)}</FormFailure>
            {canEdit && (
              <div className="flex flex-wrap gap-8">
                <Button look="primary" type="submit" busy={save.isPending} disabled={!isChanged}>
                  Save changes
                </Button>
                <Button onClick={() => setDialog('merge')}>Merge…</Button>
                <Button look="quiet" className="ml-auto" onClick={() => setDialog('delete')}>
                  Delete…
                </Button>
              </div>
            )}
          </fieldset>
        </form>
      </PanelSection>
      <PanelSection title="Versions">
        <MemoryVersions memory={memory} />
      </PanelSection>
      {dialog === 'merge' && <MergeDialog memory={memory} onClose={() => setDialog(undefined)} />}
      {dialog === 'delete' && (
        <ConfirmDialog
          title={withNames`Delete ${key}`}
          phrase={key}
          action="Delete memory"
          success={`Deleted ${key}`}
          invalidates={[['memory']]}
          mutate={() => api.memory.remove({ id })}
          onSuccess={onClose}
          onClose={() => setDialog(undefined)}
        >
          <p>Agents no longer find it. Its versions are deleted too. This can’t be undone.</p>
        </ConfirmDialog>
      )}
    </>
  )
}

function Origin({ memory }: { memory: Memory }) {
  const { projectName, runId, updatedAt } = memory
  return (
    <p className="text-13 text-neutral-11">
      For <Name>{projectName ?? 'the organization'}</Name> · {authorOf(memory)}, <Time at={updatedAt} />
      {runId && (
        <>
          {' · '}
          <Link to="/runs/$runId" params={{ runId }} className="underline hover:text-neutral-12">
            Open run
          </Link>
        </>
      )}
    </p>
  )
}
