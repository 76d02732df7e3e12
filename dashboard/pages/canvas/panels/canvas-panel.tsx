import { Link, useNavigate } from '@tanstack/react-router'
import type { ProjectDetails } from '../../../api/projects.ts'
import { Panel } from '../../../components/layout/panel.tsx'
import { TAB, TabRow } from '../../../components/layout/tabs.tsx'
import { ProjectSettings } from '../../projects/project-settings.tsx'
import { HistoryList } from './history-list.tsx'
import { Navigator } from './navigator.tsx'
import { RunsList } from './runs-list.tsx'
import { SnapshotsList } from './snapshots-list.tsx'

const PANELS = ['navigator', 'history', 'snapshots', 'runs', 'settings', 'share'] as const
export type PanelName = (typeof PANELS)[number]

/** The panel that an address names, if there is one of that name. */
export const asPanel = (name: string | undefined): PanelName | undefined =>
  PANELS.find((panel) => panel === name)

interface CanvasPanelProps {
  panel: Exclude<PanelName, 'share'>
  project: ProjectDetails
  onClose: () => void
}

/** What stands beside the canvas. */
export function CanvasPanel({ panel, project, onClose }: CanvasPanelProps) {
  const navigate = useNavigate()
  switch (panel) {
    case 'navigator':
      return (
        <Panel title="Navigator" onClose={onClose}>
          <Navigator projectId={project.id} />
        </Panel>
      )
    case 'settings':
      return (
        <Panel title="Settings" onClose={onClose}>
          <ProjectSettings projectId={project.id} onDeleted={() => navigate({ to: '/projects' })} />
        </Panel>
      )
    default:
      return (
        <Panel title="History" onClose={onClose}>
          <Past panel={panel} projectId={project.id} />
        </Panel>
      )
  }
}

const PAST = [
  { name: 'history', label: 'Changes', List: HistoryList },
  { name: 'snapshots', label: 'Snapshots', List: SnapshotsList },
  { name: 'runs', label: 'Runs', List: RunsList },
] as const

/** What was, in three views that each have their own address. */
function Past({ panel, projectId }: { panel: (typeof PAST)[number]['name']; projectId: string }) {
  const { List } = PAST.find(({ name }) => name === panel)!
  return (
    <>
      <TabRow label="Views of the history">
        {PAST.map(({ name, label }) => (
          <Link
            key={name}
            to="."
            search={{ panel: name }}
            aria-current={name === panel ? 'page' : undefined}
            // The router would mark every link of this page as the current one.
            activeProps={{}}
            className={TAB}
          >
            {label}
          </Link>
        ))}
      </TabRow>
      <List projectId={projectId} />
    </>
  )
}
