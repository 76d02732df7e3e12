import { Link } from '@tanstack/react-router'
import { TAB, TabRow } from '../../components/layout/tabs.tsx'
import { STATUSES } from './project-labels.ts'
import type { ProjectsSearch } from './projects-search.ts'

const TABS: { show: ProjectsSearch['show']; label: string }[] = [
  { show: undefined, label: STATUSES.active.label },
  { show: 'completed', label: STATUSES.completed.label },
  { show: 'archived', label: STATUSES.archived.label },
  { show: 'all', label: 'All' },
]

/** Tabs by status; they keep the other filters. */
export function StatusTabs({ search }: { search?: ProjectsSearch }) {
  return (
    <TabRow label="Status">
      {TABS.map(({ show, label }) => (
        <Link
          key={label}
          to="/projects"
          search={{ ...search, show }}
          activeOptions={{ exact: !search, includeSearch: true, explicitUndefined: true }}
          className={TAB}
        >
          {label}
        </Link>
      ))}
      <Link to="/projects/trash" className={`${TAB} ml-auto`}>
        Trash
      </Link>
    </TabRow>
  )
}
