import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Plus, SearchX, Shapes, Star } from 'lucide-react'
import { t } from '../../../../contract/text.ts'
import { anyProjectQuery } from '../../../api/projects.ts'
import { useCanCreateProjects } from '../../../api/workspaces.ts'
import { Button, buttonClass } from '../../../components/button.tsx'
import { Empty } from '../../../components/empty.tsx'
import { SampleButton } from '../../../components/sample-button.tsx'
import { labelInSentence } from '../../../state/label-in-sentence.ts'
import { STATUSES, VISIBILITIES } from './project-labels.ts'
import type { ProjectsSearch } from './projects-search.ts'

export function EmptyProjects({ search, onClear }: { search: ProjectsSearch; onClear: () => void }) {
  const anyProject = useQuery(anyProjectQuery)
  const { q, tag, visibility, layout } = search
  const show = layout === 'board' ? 'all' : search.show
  if (q !== undefined || tag !== undefined || visibility !== undefined) {
    return <NoMatches search={search} onClear={onClear} />
  }
  if (search.fav === 'only') return <NoFavourites search={search} />
  if (!anyProject.data) return null
  if (anyProject.data.items.length === 0) return <FirstRun />
  return (
    <Empty
      icon={Shapes}
      title={
        show === 'all'
          ? t`No projects in this workspace`
          : t`No ${labelInSentence(STATUSES[show ?? 'active'].label)} projects in this workspace`
      }
      action={
        <span className="flex flex-wrap gap-8">
          <Link to="/projects" search={{ show: 'all', workspace: 'all' }} className={buttonClass('plain')}>
            Show all projects
          </Link>
          {show === undefined && <NewProjectLink search={search} />}
        </span>
      }
    >
      Check your other workspaces or the trash.
    </Empty>
  )
}

const NoFavourites = ({ search }: { search: ProjectsSearch }) => (
  <Empty
    icon={Star}
    title="No favorites here"
    action={
      <Link to="/projects" search={{ ...search, fav: undefined }} className={buttonClass('plain')}>
        Show all projects
      </Link>
    }
  >
    Star a project to find it here, in the sidebar and in search. Only you see your favorites.
  </Empty>
)

function FirstRun() {
  const canCreate = useCanCreateProjects()
  if (!canCreate) {
    return (
      <Empty icon={Shapes} title="No projects yet">
        Projects in your workspaces appear here. You can only view this workspace; its editors create
        projects.
      </Empty>
    )
  }
  return (
    <Empty
      icon={Shapes}
      title="Create your first project"
      action={
        <span className="flex flex-wrap justify-center gap-8">
          <NewProjectLink search={{}} />
          <SampleButton />
        </span>
      }
      command={`npx atrium projects new "Launch plan"

curl ${location.origin}/api/v1/projects \\
  -H "Authorization: Bearer $ATRIUM_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"name": "Launch plan"}'`}
      commandLead={t`Or use the CLI or the API:`}
    >
      A project is a canvas with files and instructions where your team and agents work together.
    </Empty>
  )
}

function NoMatches({ search, onClear }: { search: ProjectsSearch; onClear: () => void }) {
  const { q, tag, visibility, workspace, show } = search
  const filters = [
    show !== 'all' && labelInSentence(STATUSES[show ?? 'active'].label),
    visibility && labelInSentence(VISIBILITIES[visibility].label),
    tag !== undefined && t`“${tag}”`].filter(
    Boolean,
  )
  return (
    <Empty
      icon={SearchX}
      title={q === undefined ? t`No ${filters.join(', ')} projects` : t`No projects match “${q}”`}
      action={
        <span className="flex flex-wrap gap-8">
          <Button onClick={onClear}>Clear filters</Button>
          {(workspace !== 'all' || show !== 'all') && (
            <Link
              to="/projects"
              search={{ ...search, workspace: 'all', show: 'all' }}
              className={buttonClass('quiet')}
            >
              Search all workspaces and statuses
            </Link>
          )}
        </span>
      }
    >
      {q !== undefined && filters.length > 0
        ? t`Searched only ${filters.join(', ')} projects in this workspace.`
        : t`Try another filter.`}
    </Empty>
  )
}

/** Keeps the filters, so closing the dialog restores the list. Hidden from workspace viewers. */
export function NewProjectLink({ search }: { search: ProjectsSearch }) {
  const canCreate = useCanCreateProjects()
  if (!canCreate) return null
  return (
    <Link to="/projects/new" search={search} className={buttonClass('primary')}>
      <Plus aria-hidden className="icon" />
      New project
    </Link>
  )
}
