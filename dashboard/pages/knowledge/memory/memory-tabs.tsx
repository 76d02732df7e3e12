import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { proposedCountQuery } from '../../../api/memory.ts'
import { VIEW, ViewRow } from '../../../components/layout/tabs.tsx'
import { SectionTabs } from '../../../frame/section-tabs.tsx'

export function MemoryTabs() {
  const { data: count = 0 } = useQuery(proposedCountQuery)
  return (
    <>
      <SectionTabs of="agents" />
      <ViewRow label="Views">
      <Link to="/memory" activeOptions={{ exact: true, includeSearch: false }} className={VIEW}>
        All
      </Link>
      <Link to="/memory/proposed" className={VIEW}>
        Proposed{count > 0 && <span className="text-neutral-11 tabular-nums"> {count}</span>}
      </Link>
      </ViewRow>
    </>
  )
}
