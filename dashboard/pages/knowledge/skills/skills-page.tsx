import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { GraduationCap, Plus, SearchX } from 'lucide-react'
import { useMemo, useState } from 'react'
import { skillsQuery } from '../../../api/skills.ts'
import { useCanEditAgents } from '../../../api/workspaces.ts'
import { Button } from '../../../components/button.tsx'
import { Empty } from '../../../components/empty.tsx'
import { Failure } from '../../../components/failure.tsx'
import { withNames } from '../../../components/name.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { ScrollEnd } from '../../../components/table/scroll-end.tsx'
import { Table } from '../../../components/table/table.tsx'
import { Page } from '../../../frame/page.tsx'
import { usePageKeys } from '../../../frame/page-keys.ts'
import { useSearchInput } from '../../../frame/search-input.ts'
import { ImportArea } from './import-area.tsx'
import { ImportDialog } from './import-dialog.tsx'
import { NewSkillDialog } from './new-skill-dialog.tsx'
import { skillColumns } from './skill-columns.tsx'

const route = getRouteApi('/app/skills/')

export function SkillsPage() {
  const { q } = route.useSearch()
  const { typed, setTyped } = useSearchInput(q ?? '')
  const list = useInfiniteQuery({ ...skillsQuery(q?.trim() || undefined), placeholderData: keepPreviousData })
  const items = useMemo(() => list.data?.pages.flatMap((page) => page.items) ?? [], [list.data])
  const canEdit = useCanEditAgents() === true
  const [isCreating, setCreating] = useState(false)
  const [archive, setArchive] = useState<File>()
  usePageKeys([
    { label: 'New skill', keys: 'c', icon: Plus, unlisted: true, run: () => canEdit && setCreating(true) },
  ])
  const isEmpty = list.data !== undefined && items.length === 0 && !list.isPlaceholderData
  return (
    <Page
      title="Skills"
      count={items.length > 0 && !list.hasNextPage ? items.length : undefined}
      filter={{ value: typed, onChange: setTyped, label: 'Search skills' }}
      action={
        canEdit && (
          <Button look="primary" onClick={() => setCreating(true)}>
            New skill
          </Button>
        )
      }
    >
      {canEdit && <ImportArea onFile={setArchive} />}
      {list.isPending && <SkeletonRows />}
      {list.error && !list.data && <Failure error={list.error} onRetry={() => list.refetch()} />}
      {isEmpty && q && (
        <Empty
          icon={SearchX}
          title={withNames`No skills match “${q}”`}
          action={<Button onClick={() => setTyped('')}>Clear search</Button>}
        >
          The search covers names and descriptions.
        </Empty>
      )}
      {isEmpty && !q && (
        <Empty
          icon={GraduationCap}
          title="No skills yet"
          action={
            canEdit && (
              <Button look="primary" onClick={() => setCreating(true)}>
                New skill
              </Button>
            )
          }
        >
          A skill has the instructions and files for one kind of task, such as release notes. An agent sees
          the names and descriptions of its skills, and reads one when a task needs it. Write a skill here, or
          import a zip file in the Agent Skills format.
        </Empty>
      )}
      {items.length > 0 && (
        <>
          <Table
            label="Skills"
            columns={skillColumns}
            rows={items}
            rowKey={(skill) => skill.id}
            version={(skill) => skill.updatedAt}
          />
          <ScrollEnd list={list} loaded={items.length} />
        </>
      )}
      {isCreating && <NewSkillDialog onClose={() => setCreating(false)} />}
      {archive && <ImportDialog key={archive.name} file={archive} onClose={() => setArchive(undefined)} />}
    </Page>
  )
}
