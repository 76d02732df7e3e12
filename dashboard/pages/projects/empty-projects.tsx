import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { SearchX, Shapes } from 'lucide-react'
import { anyProjectQuery } from '../../api/projects.ts'
import { Button, buttonClass } from '../../components/button.tsx'
import { Empty } from '../../components/empty.tsx'
import { NewProjectLink } from './new-project-link.tsx'
import { STATUSES } from './project-labels.ts'
import type { ProjectsSearch } from './projects-search.ts'

/** What to say of a list without rows: nothing was ever made, nothing is here, or nothing fits. */
export function EmptyProjects({ search, onClear }: { search: ProjectsSearch; onClear: () => void }) {
  const any = useQuery(anyProjectQuery)
  const { q, tag, visibility, show } = search
  if (q !== undefined || tag !== undefined || visibility !== undefined) {
    return <NothingFits search={search} onClear={onClear} />
  }
  if (!any.data) return null
  if (any.data.items.length === 0) return <FirstRun />
  return (
    <Empty
      icon={Shapes}
      title={
        show === 'all'
          ? 'This workspace has no project'
          : `Nothing in this workspace is ${STATUSES[show ?? 'active'].word.toLowerCase()}`
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
      Other workspaces may have what you look for, and so may the trash.
    </Empty>
  )
}

function FirstRun() {
  return (
    <Empty
      icon={Shapes}
      title="Projects hold what people and agents work on: a canvas, its files, its instructions"
      action={<NewProjectLink search={{}} />}
      command={`atrium projects new "Launch plan"

curl ${location.origin}/api/v1/projects \\
  -H "Authorization: Bearer $ATRIUM_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"name": "Launch plan"}'`}
      commandLead="Or from a terminal, with the command line or with an API key:"
    >
      Give the first one a name, or describe what you are up to and have it named for you.
    </Empty>
  )
}

function NothingFits({ search, onClear }: { search: ProjectsSearch; onClear: () => void }) {
  const { q, tag, visibility, workspace, show } = search
  const narrow = [
    show !== 'all' && (show ?? 'active'),
    visibility,
    tag !== undefined && `tagged ${tag}`,
  ].filter(Boolean)
  return (
    <Empty
      icon={SearchX}
      title={q === undefined ? `No project is ${narrow.join(' and ')}` : `No project here is called “${q}”`}
      action={
        <span className="flex flex-wrap gap-8">
          <Button onClick={onClear}>Clear the filters</Button>
          {(workspace !== 'all' || show !== 'all') && (
            <Link
              to="/projects"
              search={{ ...search, workspace: 'all', show: 'all' }}
              className={buttonClass('quiet')}
            >
              Look in all workspaces, whatever the status
            </Link>
          )}
        </span>
      }
    >
      {q !== undefined && narrow.length > 0
        ? `Only what is ${narrow.join(' and ')} was searched. Names are searched letter by letter.`
        : 'Names are searched letter by letter, upper and lower case alike.'}
    </Empty>
  )
}
