import { Outlet, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { t } from '../../../../contract/text.ts'
import { Page } from '../../../frame/page.tsx'
import { useSearchInput } from '../../../frame/search-input.ts'
import { EmptyProjects, NewProjectLink } from './empty-projects.tsx'
import type { OpenDialogs } from './project-commands.ts'
import { ProjectFilters } from './project-filters.tsx'
import type { ProjectsSearch } from './projects-search.ts'
import { ShareDialog } from './share-dialog.tsx'
import { StatusTabs } from './status-tabs.tsx'
import { SaveTemplateDialog } from './templates/template-dialogs.tsx'

interface ProjectsFrameProps {
  search: ProjectsSearch
  /** Undefined until all are loaded. */
  count: number | undefined
  isEmpty: boolean
  tags: string[]
  /** Replaces the filters. */
  selectionBar: ReactNode
  dialogs: OpenDialogs
  children: ReactNode
}

/** Shared by the list and the board. */
export function ProjectsFrame(props: ProjectsFrameProps) {
  const { search, count, isEmpty, tags, selectionBar, dialogs, children } = props
  const navigate = useNavigate()
  const { typed, setTyped } = useSearchInput(search.q ?? '')
  const clear = () => {
    setTyped('')
    void navigate({ to: '/projects', search: { show: search.show, layout: search.layout } })
  }
  const isFirstRun = isEmpty && typed === '' && Object.keys(search).length === 0
  const filters = !isFirstRun && (
    <ProjectFilters
      search={search}
      tags={tags}
      onChange={(change) => void navigate({ to: '/projects', search: { ...search, ...change } })}
    />
  )
  return (
    <Page
      title="Projects"
      count={count}
      filter={isFirstRun ? undefined : { value: typed, onChange: setTyped, label: t`Search projects` }}
      action={!isFirstRun && <NewProjectLink search={search} />}
      tabs={
        <>
          <StatusTabs search={search} />
          {selectionBar ?? filters}
        </>
      }
    >
      {isEmpty && <EmptyProjects search={search} onClear={clear} />}
      {children}
      {dialogs.sharing && <ShareDialog projectId={dialogs.sharing.id} onClose={dialogs.close} />}
      {dialogs.templating && <SaveTemplateDialog project={dialogs.templating} onClose={dialogs.close} />}
      <Outlet />
    </Page>
  )
}
