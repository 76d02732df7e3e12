import { lazy, Suspense } from 'react'
import { useProjectsSearch } from './clean-search.ts'
import { ListPage } from './list-page.tsx'

const BoardPage = lazy(async () => ({ default: (await import('./board/board-page.tsx')).BoardPage }))

export function ProjectsPage() {
  const search = useProjectsSearch()
  if (search.layout !== 'board') return <ListPage search={search} />
  return (
    <Suspense>
      <BoardPage search={search} />
    </Suspense>
  )
}
