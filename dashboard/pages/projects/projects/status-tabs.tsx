import { Link } from '@tanstack/react-router'
import { t } from '../../../../contract/text.ts'
import { TAB, TabRow } from '../../../components/layout/tabs.tsx'
import { STATUSES } from './project-labels.ts'
import type { ProjectsSearch } from './projects-search.ts'

const TABS: { show: ProjectsSearch['show']; label: string }[] = [
  { show: undefined, label: STATUSES.active.label },
  { show: 'completed', label: STATUSES.completed.label },
  { show: 'archived', label: STATUSES.archived.label },
  { show: 'all', label: t`All` },
]

export function StatusTabs({ search }: { search?: ProjectsSearch }) {
  const tabs = search?.layout === 'board' ? [{ show: undefined, label: t`All statuses` }] : TABS
  return (
    <TabRow label="Status">
      {tabs.map(({ show, label }) => (
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
      <Link to="/projects/templates" className={`${TAB} ml-auto`}>
        Templates
      </Link>
      <Link to="/projects/trash" className={TAB}>
        Trash
      </Link>
    </TabRow>
  )
}
