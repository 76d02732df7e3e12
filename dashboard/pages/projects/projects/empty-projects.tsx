import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Plus, SearchX, Shapes, Star } from 'lucide-react'
import { t } from '../../../../contract/text.ts'
import { anyProjectQuery } from '../../../api/projects.ts'
import { useCanCreateProjects } from '../../../api/workspaces.ts'
import { Button, buttonClass } from '../../../components/button.tsx'
import { Empty } from '../../../components/empty.tsx'
import { ProjectFace } from '../../../components/faces.tsx'
import { SampleButton } from '../../../components/sample-button.tsx'
import { labelInSentence } from '../../../state/label-in-sentence.ts'
import { STATUSES, VISIBILITIES } from './project-labels.ts'
import { CanvasPreview, type PreviewShape } from './project-preview.tsx'
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
    <div className="flex flex-col items-center gap-24 px-16 py-24 md:px-24">
      <Example />
      <div className="flex max-w-reading flex-col items-center gap-16 text-center">
        <div className="flex flex-col gap-4">
          <h2 className="font-strong text-16">Create your first project</h2>
          <p className="text-balance text-neutral-11">
            A project is a canvas with files and instructions where your team and agents work together.
          </p>
        </div>
        <span className="flex flex-wrap justify-center gap-8">
          <NewProjectLink search={{}} />
          <SampleButton>Start from an example</SampleButton>
        </span>
      </div>
    </div>
  )
}

/** The filled page, faded. */
function Example() {
  return (
    <ul
      aria-hidden
      className="grid w-full max-w-sheet grid-cols-[repeat(auto-fill,minmax(min(240px,100%),1fr))] gap-16 opacity-40 max-sm:max-h-panel-max max-sm:grid-cols-2 max-sm:overflow-hidden"
    >
      {EXAMPLES.map(({ emoji, shapes }) => (
        <li key={emoji} className="rounded-panel bg-card shadow-card">
          <CanvasPreview shapes={shapes} className="aspect-[2/1] w-full rounded-t-panel" />
          <span className="flex min-w-0 items-center gap-8 p-12">
            <ProjectFace project={{ id: emoji, name: '', emoji }} />
            <span className="h-8 w-1/2 rounded-control bg-neutral-6" />
          </span>
        </li>
      ))}
    </ul>
  )
}

const shape = (
  type: PreviewShape['type'],
  [x, y, width, height]: [number, number, number, number],
  color: string | null = null,
): PreviewShape => ({ type, x, y, width, height, color })

const EXAMPLES: { emoji: string; shapes: PreviewShape[] }[] = [
  {
    emoji: '⚡',
    shapes: [
      shape('note', [16, 44, 72, 44], 'red'),
      shape('note', [16, 112, 72, 44]),
      shape('agent', [120, 72, 84, 60]),
      shape('note', [236, 44, 68, 44], 'blue'),
      shape('note', [236, 112, 68, 44], 'green'),
    ],
  },
  {
    emoji: '📄',
    shapes: [
      shape('text', [24, 40, 112, 124]),
      shape('note', [160, 40, 136, 48], 'blue'),
      shape('note', [160, 108, 60, 56]),
      shape('file', [236, 108, 60, 56]),
    ],
  },
  {
    emoji: '📊',
    shapes: [
      shape('image', [24, 52, 120, 100]),
      shape('file', [172, 52, 124, 28]),
      shape('file', [172, 92, 124, 28]),
      shape('note', [172, 132, 76, 24], 'green'),
    ],
  },
  {
    emoji: '🛟',
    shapes: [
      shape('task', [24, 44, 168, 32]),
      shape('task', [24, 86, 168, 32]),
      shape('task', [24, 128, 168, 32]),
      shape('note', [220, 44, 76, 116], 'red'),
    ],
  },
]

function NoMatches({ search, onClear }: { search: ProjectsSearch; onClear: () => void }) {
  const { q, tag, visibility, workspace, show } = search
  const filters = [
    show !== 'all' && labelInSentence(STATUSES[show ?? 'active'].label),
    visibility && labelInSentence(VISIBILITIES[visibility].label),
    tag !== undefined && t`“${tag}”`,
  ].filter(Boolean)
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
