import { Link, useNavigate } from '@tanstack/react-router'
import { t } from '../../../../contract/text.ts'
import type { ProjectDetails } from '../../../api/projects.ts'
import { Panel } from '../../../components/layout/panel.tsx'
import { TAB, TabRow } from '../../../components/layout/tabs.tsx'
import { ProjectSettings } from '../../projects/projects/project-settings.tsx'
import { AskPanel } from './ask-panel.tsx'
import { HistoryList } from './history-list.tsx'
import { Navigator } from './navigator.tsx'
import { RunsList } from './runs-list.tsx'
import { SnapshotsList } from './snapshots-list.tsx'

const PANELS = ['navigator', 'history', 'snapshots', 'runs', 'settings', 'share', 'ask'] as const
export type PanelName = (typeof PANELS)[number]

export const parsePanel = (name: string | undefined): PanelName | undefined =>
  PANELS.find((panel) => panel === name)

interface CanvasPanelProps {
  panel: Exclude<PanelName, 'share'>
  project: ProjectDetails
  /** For the `ask` panel. */
  sessionId: string | undefined
  onClose: () => void
}

export function CanvasPanel({ panel, project, sessionId, onClose }: CanvasPanelProps) {
  const navigate = useNavigate()
  switch (panel) {
    case 'navigator':
      return (
        <Panel title="Navigator" onClose={onClose}>
          <Navigator projectId={project.id} />
        </Panel>
      )
    case 'ask':
      return <AskPanel projectId={project.id} sessionId={sessionId} onClose={onClose} />
    case 'settings':
      return (
        <Panel title="Settings" onClose={onClose}>
          <ProjectSettings projectId={project.id} onDeleted={() => navigate({ to: '/projects' })} />
        </Panel>
      )
    default:
      return (
        <Panel title="History" onClose={onClose}>
          <HistoryTabs panel={panel} projectId={project.id} />
        </Panel>
      )
  }
}

const HISTORY_TABS = [
  { name: 'history', label: t`Changes`, List: HistoryList },
  { name: 'snapshots', label: t`Snapshots`, List: SnapshotsList },
  { name: 'runs', label: t`Runs`, List: RunsList },
] as const

function HistoryTabs({
  panel,
  projectId,
}: {
  panel: (typeof HISTORY_TABS)[number]['name']
  projectId: string
}) {
  const { List } = HISTORY_TABS.find(({ name }) => name === panel)!
  return (
    <>
      <TabRow label="History views">
        {HISTORY_TABS.map(({ name, label }) => (
          <Link
            key={name}
            to="."
            search={{ panel: name }}
            aria-current={name === panel ? 'page' : undefined}
            // The router would mark all three links as current.
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
