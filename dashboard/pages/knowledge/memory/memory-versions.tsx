import { useMutation, useQuery } from '@tanstack/react-query'
import { api } from '../../../api/client.ts'
import { type Memory, type MemoryVersion, memoryVersionsQuery, refreshMemory } from '../../../api/memory.ts'
import { Button } from '../../../components/button.tsx'
import { Diff } from '../../../components/diff/diff.tsx'
import { Failure } from '../../../components/failure.tsx'
import { Time } from '../../../components/time.tsx'
import { toast, toastFailure } from '../../../components/toast.tsx'
import { authorOf } from './memory-columns.tsx'

const CHANGES: Record<MemoryVersion['change'], string> = {
  created: 'Created',
  updated: 'Changed',
  accepted: 'Accepted',
  merged: 'Merged',
  restored: 'Restored',
  imported: 'Imported',
  removed: 'Removed by an undo',
}

/** The changes of each version. Each can be restored. */
export function MemoryVersions({ memory }: { memory: Memory }) {
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
  [key, content, ...(tags.length > 0 ? [`Tags: ${tags.join(', ')}`] : [])].join('\n')

function Head({ memory, version }: { memory: Memory; version: MemoryVersion }) {
  const restore = useMutation({
    mutationFn: () => api.memory.restore({ id: memory.id, version: version.version }),
    onSuccess: async () => {
      await refreshMemory()
      toast(`Restored version ${version.version}`)
    },
    onError: toastFailure,
  })
  const isCurrent = version.version === memory.version
  return (
    <div className="flex flex-wrap items-center gap-8 text-13">
      <span>
        {CHANGES[version.change]} by {authorOf(version)}{' '}
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
