import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { VIEW, ViewRow } from '../../../components/layout/tabs.tsx'
import { useCount } from '../../../frame/section-count.tsx'
import { SectionTabs } from '../../../frame/section-tabs.tsx'

export function MemoryTabs({ end }: { end?: ReactNode }) {
  const count = useCount('memory')
  return (
    <>
      <SectionTabs of="agents" />
      <ViewRow label="Views" end={end}>
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
