import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { proposedCountQuery } from '../../../api/memory.ts'
import { TAB, TabRow } from '../../../components/layout/tabs.tsx'

export function MemoryTabs() {
  const { data: count = 0 } = useQuery(proposedCountQuery)
  return (
    <TabRow label="Memory">
      <Link to="/memory" activeOptions={{ exact: true, includeSearch: false }} className={TAB}>
        Memory
      </Link>
      <Link to="/memory/proposed" className={TAB}>
        Proposed{count > 0 && <span className="text-neutral-11 tabular-nums"> {count}</span>}
      </Link>
    </TabRow>
  )
}
