import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { type Agent, cacheAgent, ifMatchVersion, versionsQuery } from '../../../../api/agents.ts'
import { api } from '../../../../api/client.ts'
import { Button } from '../../../../components/button.tsx'
import { Failure } from '../../../../components/failure.tsx'
import { Panel } from '../../../../components/layout/panel.tsx'
import { withNames } from '../../../../components/name.tsx'
import { SkeletonRows } from '../../../../components/skeleton.tsx'
import { ScrollEnd } from '../../../../components/table/scroll-end.tsx'
import { toast, toastFailure } from '../../../../components/toast.tsx'
import { VersionRow } from './version-row.tsx'

interface VersionsPanelProps {
  agent: Agent
  /** Whether the user can restore a version. */
  canEdit: boolean
  onClose: () => void
}

/** The versions with their authors and changed settings, newest first. Each can be restored. */
export function VersionsPanel({ agent, canEdit, onClose }: VersionsPanelProps) {
  const { id, version: current, archivedAt } = agent
  const list = useInfiniteQuery(versionsQuery(id))
  const items = list.data?.pages.flatMap((page) => page.items) ?? []
  const restore = useMutation({
    mutationFn: (version: number) => api.agents.restore({ id, version }, ifMatchVersion(current)),
    onSuccess: async (restored, version) => {
      toast(withNames`Restored version ${version}`)
      await cacheAgent(restored)
    },
    onError: toastFailure,
  })
  return (
    <Panel title="Versions" subtitle={agent.name} onClose={onClose}>
      {list.isPending && <SkeletonRows rows={4} />}
      {list.error && !list.data && <Failure error={list.error} onRetry={() => list.refetch()} />}
      <ol aria-label="Versions">
        {items.map((item) => (
          <li key={item.version} className="border-neutral-6 border-b px-16 py-12">
            <VersionRow
              version={item}
              action={
                item.version === current ? (
                  <span className="text-12 text-neutral-11">Current</span>
                ) : (
                  archivedAt === null &&
                  canEdit && (
                    <Button
                      size="small"
                      aria-label={`Restore version ${item.version}`}
                      busy={restore.isPending && restore.variables === item.version}
                      onClick={() => restore.mutate(item.version)}
                    >
                      Restore
                    </Button>
                  )
                )
              }
            />
          </li>
        ))}
      </ol>
      {items.length > 0 && <ScrollEnd list={list} loaded={items.length} />}
    </Panel>
  )
}
