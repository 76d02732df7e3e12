import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { MEMORY_LIMITS } from '../../../../contract/knowledge/memory-options.ts'
import { t } from '../../../../contract/text.ts'
import { ifMatchVersion } from '../../../api/agents.ts'
import { api } from '../../../api/client.ts'
import { failureMessage } from '../../../api/explain.ts'
import {
  type Memory,
  type MemoryVersion,
  memoriesQuery,
  memoryQuery,
  memoryVersionsQuery,
  refreshMemory,
} from '../../../api/memory.ts'
import { countsQuery } from '../../../api/sidebar.ts'
import { Button } from '../../../components/button.tsx'
import { ConfirmDialog } from '../../../components/dialogs/confirm-dialog.tsx'
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx'
import { Diff } from '../../../components/diff/diff.tsx'
import { Failure, FormFailure } from '../../../components/failure.tsx'
import { TextArea } from '../../../components/forms/field.tsx'
import { Select } from '../../../components/forms/select.tsx'
import { Panel, PanelSection } from '../../../components/layout/panel.tsx'
import { Name, withNames } from '../../../components/name.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { Time } from '../../../components/time.tsx'
import { toast, toastFailure } from '../../../components/toast.tsx'
import { memoryAuthor } from './memory-columns.tsx'
import { MemoryFields } from './memory-fields.tsx'

export function MemoryPanel({ id, onClose }: { id: string; onClose: () => void }) {
  const memory = useQuery(memoryQuery(id))
  return (
    <Panel title={memory.data?.key ?? t`Memory`} onClose={onClose}>
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
      toast(t`Saved`)
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
          success={t`Deleted ${key}`}
          invalidates={[['memory'], countsQuery.queryKey]}
          mutate={() => api.memory.remove({ id })}
          onSuccess={onClose}
          onClose={() => setDialog(undefined)}
        >
          <p>Agents won’t find it anymore, and its versions are deleted too. This can’t be undone.</p>
        </ConfirmDialog>
      )}
    </>
  )
}

function Origin({ memory }: { memory: Memory }) {
  const { projectName, runId, updatedAt } = memory
  return (
    <p className="text-13 text-neutral-11">
      For <Name>{projectName ?? t`the organization`}</Name> · {memoryAuthor(memory)}, <Time at={updatedAt} />
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

function MergeDialog({ memory, onClose }: { memory: Memory; onClose: () => void }) {
  const list = useInfiniteQuery(memoriesQuery({ space: memory.projectId ?? 'org', status: 'active' }))
  const others = list.data?.pages.flatMap((page) => page.items).filter(({ id }) => id !== memory.id) ?? []
  const [otherId, setOtherId] = useState('')
  const [content, setContent] = useState(memory.content)
  const merge = useMutation({
    mutationFn: () => api.memory.merge({ id: memory.id, otherId, content }),
    onSuccess: async () => {
      await refreshMemory()
      toast(t`Merged; both old texts are under Versions`)
      onClose()
    },
  })
  const choose = (id: string) => {
    setOtherId(id)
    const other = others.find((each) => each.id === id)
    if (other) setContent(`${memory.content}\n\n${other.content}`)
  }
  return (
    <FormDialog
      title={withNames`Merge into ${memory.key}`}
      size="normal"
      action="Merge"
      lead="The other memory is removed. Both old texts stay under Versions."
      failure={failureMessage(merge.error)}
      busy={merge.isPending}
      onSubmit={() => merge.mutate()}
      onClose={onClose}
    >
      <Select label="Other memory" required value={otherId} onChange={(event) => choose(event.target.value)}>
        <option value="">Choose a memory</option>
        {others.map(({ id, key }) => (
          <option key={id} value={id}>
            {key}
          </option>
        ))}
      </Select>
      <TextArea
        label="Content"
        required
        rows={10}
        limit={MEMORY_LIMITS.content}
        counted
        value={content}
        onChange={(event) => setContent(event.target.value)}
      />
    </FormDialog>
  )
}

const CHANGES: Record<MemoryVersion['change'], string> = {
  created: t`Created`,
  updated: t`Changed`,
  accepted: t`Accepted`,
  merged: t`Merged`,
  restored: t`Restored`,
  imported: t`Imported`,
  removed: t`Removed by undo`,
}

function MemoryVersions({ memory }: { memory: Memory }) {
  const versions = useQuery(memoryVersionsQuery(memory.id))
  if (versions.error) return <Failure error={versions.error} onRetry={() => versions.refetch()} />
  const items = versions.data?.items ?? []
  return (
    <ol className="flex flex-col gap-16">
      {items.map((version, index) => (
        <li key={version.version} className="flex flex-col gap-8">
          <Head memory={memory} version={version} />
          {items[index + 1] && <Diff before={textOf(items[index + 1]!)} after={textOf(version)} />}
        </li>
      ))}
    </ol>
  )
}

const textOf = ({ key, content, tags }: MemoryVersion) =>
  [key, content, ...(tags.length > 0 ? [t`Tags: ${tags.join(', ')}`] : [])].join('\n')

function Head({ memory, version }: { memory: Memory; version: MemoryVersion }) {
  const restore = useMutation({
    mutationFn: () => api.memory.restore({ id: memory.id, version: version.version }),
    onSuccess: async () => {
      await refreshMemory()
      toast(t`Restored version ${version.version}`)
    },
    onError: toastFailure,
  })
  const isCurrent = version.version === memory.version
  return (
    <div className="flex flex-wrap items-center gap-8 text-13">
      <span>
        {CHANGES[version.change]} by {memoryAuthor(version)}{' '}
        <span className="text-neutral-11">
          <Time at={version.createdAt} />
        </span>
      </span>
      {!isCurrent && memory.canEdit && (
        <Button size="small" className="ml-auto" busy={restore.isPending} onClick={() => restore.mutate()}>
          Restore
        </Button>
      )}
    </div>
  )
}
