import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { BookMarked, Download, Ellipsis, Plus, Upload } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { api } from '../../../api/client.ts'
import { memoriesQuery, refreshMemory, scopeParameters } from '../../../api/memory.ts'
import { useCanEditAgents } from '../../../api/workspaces.ts'
import { Button } from '../../../components/button.tsx'
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx'
import { useCreateDialog } from '../../../components/dialogs/use-create-dialog.ts'
import { Empty } from '../../../components/empty.tsx'
import { Failure } from '../../../components/failure.tsx'
import { FileInput } from '../../../components/forms/file-input.tsx'
import { Menu, MenuAction } from '../../../components/menu.tsx'
import { withNames } from '../../../components/name.tsx'
import { NoMatches } from '../../../components/no-matches.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { ScrollEnd } from '../../../components/table/scroll-end.tsx'
import { Table } from '../../../components/table/table.tsx'
import { toast, toastFailure } from '../../../components/toast.tsx'
import { Page } from '../../../frame/page.tsx'
import { usePageKeys } from '../../../frame/page-keys.ts'
import { useSearchInput } from '../../../frame/search-input.ts'
import { memoryColumns } from './memory-columns.tsx'
import { MemoryFields, type MemoryText, SpaceFilter, SpaceSelect } from './memory-fields.tsx'
import { MemoryPanel } from './memory-panel.tsx'
import { MemoryTabs } from './memory-tabs.tsx'

const route = getRouteApi('/app/memory/')

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
    { label: t`New memory`, keys: 'c', icon: Plus, unlisted: true, run: () => canEdit && setCreating(true) },
  ])
  const isEmpty = list.data !== undefined && items.length === 0 && !list.isPlaceholderData
  const close = () => void navigate({ to: '.', search: (previous) => ({ ...previous, id: undefined }) })
  return (
    <Page
      title="Memory"
      filter={{ value: typed, onChange: setTyped, label: t`Search memory` }}
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
      tabs={
        <MemoryTabs
          end={
            <SpaceFilter
              space={space}
              onChange={(next) =>
                void navigate({ to: '.', search: (previous) => ({ ...previous, space: next }) })
              }
            />
          }
        />
      }
      panel={id && <MemoryPanel key={id} id={id} onClose={close} />}
    >
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

interface NoMemoryProps {
  q: string | undefined
  canEdit: boolean
  onCreate: () => void
  onClear: () => void
}

function NoMemory({ q, canEdit, onCreate, onClear }: NoMemoryProps) {
  if (q) {
    return (
      <NoMatches title={withNames`No memory matches “${q}”`} onClear={onClear}>
        Searches keys, tags and content. Use quotes for a phrase and a minus to exclude words.
      </NoMatches>
    )
  }
  return (
    <Empty
      icon={BookMarked}
      title="No memories yet"
      action={
        canEdit && (
          <Button look="primary" onClick={onCreate}>
            New memory
          </Button>
        )
      }
      command={canEdit ? 'npx atrium memory add releases "Releases go out on Tuesdays"' : undefined}
    >
      A memory is a decision, preference or fact, for one project or the whole organization. Agents search
      memories and save new ones. After an agent has read untrusted content, its memories wait under Proposed
      until a member accepts them.{!canEdit && t` Workspace editors can add memories.`}
    </Empty>
  )
}

function TransferMenu({ space = 'org', canEdit }: { space: string | undefined; canEdit: boolean }) {
  const input = useRef<HTMLInputElement>(null)
  const download = (format: 'json' | 'markdown') => {
    const query = new URLSearchParams({ format, ...(space !== 'org' && { projectId: space }) })
    window.location.assign(`/api/v1/memory/export?${query}`)
  }
  const upload = async (file: File | undefined) => {
    if (!file) return
    try {
      const { items } = JSON.parse(await file.text()) as Parameters<typeof api.memory.import>[0]
      const { created, replaced, unchanged } = await api.memory.import({ ...scopeParameters(space), items })
      toast(t`Imported: ${created} new, ${replaced} replaced, ${unchanged} unchanged`)
      await refreshMemory()
    } catch (error) {
      if (error instanceof SyntaxError) toast(t`The file isn’t a JSON memory export`)
      else toastFailure(error)
    }
  }
  const trigger = (
    <Button look="quiet" size="icon" aria-label="Export and import">
      <Ellipsis aria-hidden className="icon" />
    </Button>
  )
  return (
    <>
      <Menu trigger={trigger}>
        <MenuAction icon={Download} label="Export as JSON" onSelect={() => download('json')} />
        <MenuAction icon={Download} label="Export as Markdown" onSelect={() => download('markdown')} />
        {canEdit && <MenuAction icon={Upload} label="Import JSON" onSelect={() => input.current?.click()} />}
      </Menu>
      <FileInput
        ref={input}
        accept="application/json,.json"
        label="JSON memory export"
        onFiles={([file]) => void upload(file)}
      />
    </>
  )
}

const EMPTY: MemoryText = { key: '', content: '', tags: [] }

function NewMemoryDialog({ space, onClose }: { space: string | undefined; onClose: () => void }) {
  const [chosenSpace, setChosenSpace] = useState(space ?? 'org')
  const [text, setText] = useState(EMPTY)
  const navigate = useNavigate()
  const { form, error } = useCreateDialog({
    create: () => api.memory.create({ ...scopeParameters(chosenSpace), ...text }),
    onCreated: async ({ id, key, version }) => {
      await refreshMemory()
      toast(version === 1 ? t`Saved ${key}` : t`Replaced ${key}; the old text is under Versions`)
      onClose()
      await navigate({ to: '/memory', search: (previous) => ({ ...previous, id }) })
    },
    onClose,
  })
  return (
    <FormDialog title="New memory" size="normal" action="Save" {...form}>
      <SpaceSelect space={chosenSpace} onChange={setChosenSpace} />
      <MemoryFields text={text} error={error} onChange={setText} />
    </FormDialog>
  )
}
