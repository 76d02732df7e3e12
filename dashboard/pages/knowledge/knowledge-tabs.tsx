import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { VIEW, ViewRow } from '../../components/layout/tabs.tsx'
import { SectionTabs } from '../../frame/section-tabs.tsx'

interface KnowledgeTabsProps {
  /** Stays chosen in the other view. */
  projectId: string | undefined
  end?: ReactNode
}

/** What agents know, and what they find in it. */
export const KnowledgeTabs = ({ projectId, end }: KnowledgeTabsProps) => (
  <>
    <SectionTabs of="agents" />
    <ViewRow label="Views" end={end}>
      <Link
        to="/knowledge"
        search={{ project: projectId }}
        activeOptions={{ exact: true, includeSearch: false }}
        className={VIEW}
      >
        Sources
      </Link>
      <Link
        to="/knowledge/test"
        search={{ project: projectId }}
        activeOptions={{ includeSearch: false }}
        className={VIEW}
      >
        Test retrieval
      </Link>
    </ViewRow>
  </>
)
