import { Link } from '@tanstack/react-router'
import { History, ListTree, Settings, Share2 } from 'lucide-react'
import type { ProjectDetails } from '../../api/projects.ts'
import { buttonClass } from '../../components/button.tsx'
import { ProjectEmoji } from '../projects/projects/project-emoji.tsx'
import type { PanelName } from './panels/canvas-panel.tsx'
import { Participants } from './participants.tsx'
import { ProjectTitle } from './project-title.tsx'
import { SavingState } from './saving-state.tsx'
import { MoreMenu } from './tools/more-menu.tsx'
import { useCanvasNavigation } from './use-canvas-navigation.ts'

const PANELS = [
  { name: 'navigator', label: 'Navigator', icon: ListTree, group: [] },
  { name: 'history', label: 'History', icon: History, group: ['snapshots', 'runs'] },
  { name: 'settings', label: 'Settings', icon: Settings, group: [] },
] as const satisfies { name: PanelName; label: string; icon: typeof History; group: PanelName[] }[]

/** The header of the canvas: project, participants and panel links. */
export function CanvasBar({ project, panel }: { project: ProjectDetails; panel: PanelName | undefined }) {
  useCanvasNavigation()
  return (
    <header className="flex h-48 shrink-0 items-center gap-8 border-neutral-6 border-b pr-8 pl-16">
      <ProjectEmoji emoji={project.emoji} />
      <ProjectTitle project={project} />
      <span className="max-sm:hidden">
        <SavingState />
      </span>
      <nav aria-label="Canvas panels" className="ml-auto flex items-center gap-4">
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
              className={`${buttonClass('quiet', 'icon')} data-open:bg-neutral-4 data-open:text-neutral-12`}
            >
              <Icon aria-hidden className="icon" />
            </Link>
          )
        })}
        <MoreMenu />
        <Link to="." search={{ panel: 'share' }} className={`${buttonClass('plain')} max-sm:hidden`}>
          <Share2 aria-hidden className="icon" />
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
