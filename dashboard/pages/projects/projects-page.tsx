import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, Outlet, useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { projectsQuery } from '../../api/projects.ts'
import { useSession } from '../../api/session.ts'
import { useCanCreateProjects, workspacesQuery } from '../../api/workspaces.ts'
import { Failure } from '../../components/failure.tsx'
import { SkeletonRows } from '../../components/skeleton.tsx'
import { ScrollEnd } from '../../components/table/scroll-end.tsx'
import { Table } from '../../components/table/table.tsx'
import { Page } from '../../frame/page.tsx'
import { useSearchInput } from '../../frame/search-input.ts'
import { EmptyProjects } from './empty-projects.tsx'
import { NewProjectLink } from './new-project-link.tsx'
import { projectColumns } from './project-columns.tsx'
import { ProjectFilters } from './project-filters.tsx'
import { useProjectKeys } from './project-keys.ts'
import type { ProjectsSearch } from './projects-search.ts'
import { ShareDialog } from './share-dialog.tsx'
import { StatusTabs } from './status-tabs.tsx'
import { useProjectCommands } from './use-project-commands.ts'

const route = getRouteApi('/app/projects/list')

export function ProjectsPage() {
  const search = route.useSearch()
  const navigate = useNavigate()
  const { typed, setTyped } = useSearchInput(search.q ?? '')
  const filter = useFilter(search)
  const list = useInfiniteQuery({ ...projectsQuery(filter), placeholderData: keepPreviousData })
  const items = useMemo(() => list.data?.pages.flatMap((page) => page.items) ?? [], [list.data])
  const tags = useMemo(() => tagsOf(items), [items])
  const workspaces = useWorkspaceNames()
  const { commands, sharing, closeShareDialog, renamingId } = useProjectCommands(items, search)
  const create = () => void navigate({ to: '/projects/new', search })
  useProjectKeys({ items, commands, create, canCreate: useCanCreateProjects() })

  const clear = () => {
    setTyped('')
    void navigate({ to: '/projects', search: { show: search.show } })
  }
  const isEmpty = list.data !== undefined && items.length === 0 && !list.isPlaceholderData
  const isFirstRun = isEmpty && typed === '' && Object.keys(search).length === 0
  return (
    <Page
      title="Projects"
      count={items.length > 0 && !list.hasNextPage && !list.isPlaceholderData ? items.length : undefined}
      filter={isFirstRun ? undefined : { value: typed, onChange: setTyped, label: 'Search projects' }}
      action={!isFirstRun && <NewProjectLink search={search} />}
      tabs={<StatusTabs search={search} />}
    >
      {!isFirstRun && (
        <ProjectFilters
          search={search}
          tags={tags}
          onChange={(change) => navigate({ to: '/projects', search: { ...search, ...change } })}
        />
      )}
      {list.isPending && <SkeletonRows />}
      {list.error && !list.data && <Failure error={list.error} onRetry={() => list.refetch()} />}
      {isEmpty && <EmptyProjects search={search} onClear={clear} />}
      {items.length > 0 && (
        <>
          <Table
            label="Projects"
            columns={projectColumns({
              commands,
              renamingId,
              workspaces,
              allWorkspaces: search.workspace === 'all',
            })}
            rows={items}
            rowKey={(project) => project.id}
            stamp={(project) => project.updatedAt}
          />
          <ScrollEnd list={list} loaded={items.length} />
        </>
      )}
      {sharing && <ShareDialog projectId={sharing.id} onClose={closeShareDialog} />}
      <Outlet />
    </Page>
  )
}

/** The search parameters as an API filter. */
function useFilter({ q, show, visibility, tag, workspace }: ProjectsSearch) {
  const { workspace: active } = useSession()
  return {
    search: q,
    status: show === 'all' ? undefined : (show ?? 'active'),
    visibility,
    tag,
    workspaceId: workspace === 'all' ? undefined : (workspace ?? active?.id),
  } as const
}

function useWorkspaceNames(): ReadonlyMap<string, string> {
  const { data } = useQuery(workspacesQuery)
  return useMemo(
    () => new Map(data && data.items.length > 1 ? data.items.map(({ id, name }) => [id, name]) : []),
    [data],
  )
}

const tagsOf = (items: { tags: string[] }[]) =>
  [...new Set(items.flatMap(({ tags }) => tags))].sort((a, b) => a.localeCompare(b))
