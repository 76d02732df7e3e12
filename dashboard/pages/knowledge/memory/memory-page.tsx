import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useMemo, useState } from 'react'
import { memoriesQuery } from '../../../api/memory.ts'
import { useCanEditAgents } from '../../../api/workspaces.ts'
import { Button } from '../../../components/button.tsx'
import { Failure } from '../../../components/failure.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { ScrollEnd } from '../../../components/table/scroll-end.tsx'
import { Table } from '../../../components/table/table.tsx'
import { Page } from '../../../frame/page.tsx'
import { usePageKeys } from '../../../frame/page-keys.ts'
import { useSearchInput } from '../../../frame/search-input.ts'
import { memoryColumns } from './memory-columns.tsx'
import { MemoryPanel } from './memory-panel.tsx'
import { MemoryTabs } from './memory-tabs.tsx'
import { NewMemoryDialog } from './new-memory-dialog.tsx'
import { NoMemory } from './no-memory.tsx'
import { SpaceFilter } from './space-select.tsx'
import { TransferMenu } from './transfer-menu.tsx'

const route = getRouteApi('/app/memory/')

/** The memory of all projects that the user sees, with one memory beside the list. */
export function MemoryPage() {
  const { q, space, id } = route.useSearch()
  const navigate = useNavigate()
  const { typed, setTyped } = useSearchInput(q ?? '')
  const list = useInfiniteQuery({
    ...memoriesQuery({ q: q?.trim() || undefined, space, status: 'active' }),
    placeholderData: keepPreviousData,
  })
  const items = useMemo(() => list.data?.pages.flatMap((page) => page.items) ?? [], [list.data])
  const canEdit = useCanEditAgents() === true
  const [isCreating, setCreating] = useState(false)
  usePageKeys([
    { label: 'New memory', keys: 'c', icon: Plus, unlisted: true, run: () => canEdit && setCreating(true) },
  ])
  const isEmpty = list.data !== undefined && items.length === 0 && !list.isPlaceholderData
  const close = () => void navigate({ to: '.', search: (previous) => ({ ...previous, id: undefined }) })
  return (
    <Page
      title="Memory"
      filter={{ value: typed, onChange: setTyped, label: 'Search memory' }}
      action={
        <span className="flex items-center gap-8">
          <TransferMenu space={space} canEdit={canEdit} />
          {canEdit && (
            <Button look="primary" onClick={() => setCreating(true)}>
              New memory
            </Button>
          )}
        </span>
      }
      tabs={<MemoryTabs />}
      panel={id && <MemoryPanel key={id} id={id} onClose={close} />}
    >
      <SpaceFilter
        space={space}
        onChange={(next) => void navigate({ to: '.', search: (previous) => ({ ...previous, space: next }) })}
      />
      {list.isPending && <SkeletonRows />}
      {list.error && !list.data && <Failure error={list.error} onRetry={() => list.refetch()} />}
      {isEmpty && (
        <NoMemory q={q} canEdit={canEdit} onCreate={() => setCreating(true)} onClear={() => setTyped('')} />
      )}
      {items.length > 0 && (
        <>
          <Table
            label="Memory"
            columns={memoryColumns}
            rows={items}
            rowKey={(memory) => memory.id}
            version={(memory) => memory.updatedAt}
            currentKey={id}
          />
          <ScrollEnd list={list} loaded={items.length} />
        </>
      )}
      {isCreating && <NewMemoryDialog space={space} onClose={() => setCreating(false)} />}
    </Page>
  )
}
