import { Link } from '@tanstack/react-router'
import { TAB, TabRow } from '../../components/layout/tabs.tsx'
import { STATUSES } from './project-labels.ts'
import type { ProjectsSearch } from './projects-search.ts'

const TABS: { show: ProjectsSearch['show']; word: string }[] = [
  { show: undefined, word: STATUSES.active.word },
  { show: 'completed', word: STATUSES.completed.word },
  { show: 'archived', word: STATUSES.archived.word },
  { show: 'all', word: 'All' },
]

/** Projects by how far they are; the other filters stay when one goes from one to the next. */
export function StatusTabs({ search }: { search?: ProjectsSearch }) {
  return (
    <TabRow label="Status">
      {TABS.map(({ show, word }) => (
        <Link
          key={word}
          to="/projects"
          search={{ ...search, show }}
          activeOptions={{ exact: !search, includeSearch: true, explicitUndefined: true }}
          className={TAB}
        >
          {word}
        </Link>
      ))}
      <Link to="/projects/trash" className={`${TAB} ml-auto`}>
        Trash
      </Link>
    </TabRow>
  )
}
