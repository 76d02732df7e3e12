import { Link, useNavigate, useRouter } from '@tanstack/react-router'
import { History, ListTree, Play, Settings, Share2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { t } from '../../../contract/text.ts'
import type { ProjectDetails } from '../../api/projects.ts'
import { Button, buttonClass } from '../../components/button.tsx'
import { ProjectFace } from '../../components/faces.tsx'
import { NameInput } from '../../components/forms/name-input.tsx'
import { Name } from '../../components/name.tsx'
import { FavouriteStar } from '../projects/projects/favourite-star.tsx'
import { rename } from '../projects/projects/project-actions.ts'
import { ProjectTabs } from '../projects/projects/project-tabs.tsx'
import { present } from './actions/present.ts'
import { useCanvas } from './canvas-context.ts'
import { Participants, SavingState } from './canvas-status.tsx'
import type { PanelName } from './panels/canvas-panel.tsx'
import { MoreMenu } from './tools/more-menu.tsx'

const PANELS = [
  { name: 'navigator', label: t`Navigator`, icon: ListTree, group: [] },
  { name: 'history', label: t`History`, icon: History, group: ['snapshots', 'runs'] },
  { name: 'settings', label: t`Settings`, icon: Settings, group: [] },
] as const satisfies { name: PanelName; label: string; icon: typeof History; group: PanelName[] }[]

export function CanvasBar({ project, panel }: { project: ProjectDetails; panel: PanelName | undefined }) {
  const canvas = useCanvas()
  useCanvasNavigation()
  return (
    <header className="flex h-header shrink-0 items-center gap-8 border-neutral-6 border-b pr-8 pl-16">
      <ProjectFace project={project} />
      <ProjectTitle project={project} />
      <span className="flex [&>button]:opacity-100">
        <FavouriteStar project={project} />
      </span>
      <nav aria-label="Project" className="-mb-px ml-8 flex gap-4 self-end max-lg:hidden">
        <ProjectTabs project={project} current="canvas" />
      </nav>
      <nav aria-label="Canvas panels" className="ml-auto flex items-center gap-4">
        <span className="px-4 max-sm:hidden">
          <SavingState />
        </span>
        <Participants />
        {PANELS.map(({ name, label, icon: Icon, group }) => {
          const isOpen = panel === name || (group as readonly string[]).includes(panel ?? '')
          return (
            <Link
              key={name}
              to="."
              search={isOpen ? {} : { panel: name }}
              aria-label={label}
              title={label}
              data-open={isOpen || undefined}
              className={`${buttonClass('quiet', 'icon')} data-open:bg-hover data-open:text-neutral-12`}
            >
              <Icon aria-hidden className="icon" />
            </Link>
          )
        })}
        <MoreMenu project={project} />
        <Button className="max-md:hidden" onClick={() => present(canvas)}>
          <Play aria-hidden className="icon" />
          Present
        </Button>
        <Link to="." search={{ panel: 'share' }} className={`${buttonClass('primary')} max-sm:hidden`}>
          Share
        </Link>
        <Link
          to="."
          search={{ panel: 'share' }}
          aria-label="Share"
          className={`${buttonClass('quiet', 'icon')} sm:hidden`}
        >
          <Share2 aria-hidden className="icon" />
        </Link>
      </nav>
    </header>
  )
}

/** A click renames it. */
function ProjectTitle({ project }: { project: ProjectDetails }) {
  const [isEditing, setEditing] = useState(false)
  if (isEditing) {
    return (
      <div className="min-w-0 flex-1 sm:max-w-filter">
        <NameInput
          label="Project name"
          name={project.name}
          onDone={(name) => {
            setEditing(false)
            if (name) void rename(project, name)
          }}
        />
      </div>
    )
  }
  const className = 'min-w-0 truncate font-strong text-16 tracking-heading'
  if (!project.canEdit) {
    return (
      <h1 className={className} title={project.description ?? undefined}>
        <Name>{project.name}</Name>
      </h1>
    )
  }
  return (
    <h1 className={className}>
      <button
        type="button"
        title="Rename"
        onClick={() => setEditing(true)}
        className="max-w-full truncate rounded-control px-4 hover:bg-hover"
      >
        <Name>{project.name}</Name>
      </button>
    </h1>
  )
}

function useCanvasNavigation() {
  const { ui } = useCanvas()
  const { history } = useRouter()
  const navigate = useNavigate()
  useEffect(() => {
    const stops = [
      ui.agentQuestion.subscribe(() => void navigate({ to: '.', search: { panel: 'ask' } })),
      ui.page.subscribe(() => history.push(ui.page.get())),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [ui, history, navigate])
}
