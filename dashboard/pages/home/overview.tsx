import type { ReactNode } from 'react'
import { AttentionList } from './attention-list.tsx'
import type { Home } from './home-query.ts'
import { Installation } from './installation.tsx'
import { NewsList } from './news-list.tsx'
import { ProjectList } from './project-list.tsx'
import { UsageCharts } from './usage-charts.tsx'

/** Pending decisions and news, beside recent projects and usage. */
export function Overview({ home, children }: { home: Home; children: ReactNode }) {
  return (
    <div className="grid grid-cols-1 items-start gap-x-48 gap-y-32 @wide:grid-cols-3">
      <div className="flex min-w-0 flex-col gap-32 @wide:col-span-2">
        <AttentionList home={home} />
        <NewsList home={home} />
        {children}
      </div>
      <div className="flex min-w-0 flex-col gap-32">
        <ProjectList projects={home.projects} />
        <UsageCharts usage={home.usage} />
        {home.health && <Installation health={home.health} />}
      </div>
    </div>
  )
}
