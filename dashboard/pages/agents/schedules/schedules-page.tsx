import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { CalendarClock, Plus } from 'lucide-react'
import { useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { newestProjectsQuery } from '../../../api/projects.ts'
import { refreshSchedules, type Schedule, scheduleApi, schedulesQuery } from '../../../api/schedules.ts'
import { useCanEditAgents } from '../../../api/workspaces.ts'
import { Button } from '../../../components/button.tsx'
import { DeleteDialog } from '../../../components/dialogs/confirm-dialog.tsx'
import { Empty } from '../../../components/empty.tsx'
import { Failure } from '../../../components/failure.tsx'
import { Name } from '../../../components/name.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { ScrollEnd } from '../../../components/table/scroll-end.tsx'
import { Table } from '../../../components/table/table.tsx'
import { Page } from '../../../frame/page.tsx'
import { usePageKeys } from '../../../frame/page-keys.ts'
import { SectionTabs } from '../../../frame/section-tabs.tsx'
import { useRecentRuns } from './recent-runs.tsx'
import { scheduleColumns } from './schedule-columns.tsx'
import { ScheduleDialog } from './schedule-dialog.tsx'
import { Upcoming } from './upcoming.tsx'

const COMMAND = `npx atrium schedules create --project <project> --cron '0 9 * * 1-5' 'What is open today?'`

type OpenDialog = { action: 'create' } | { action: 'edit' | 'delete'; schedule: Schedule }

export function SchedulesPage() {
  const list = useInfiniteQuery(schedulesQuery)
  const items = list.data?.pages.flatMap((page) => page.items) ?? []
  const [dialog, setDialog] = useState<OpenDialog>()
  const projects = useQuery(newestProjectsQuery).data?.items
  const canEdit = useCanEditAgents() === true || projects?.some((project) => project.canEdit) === true
  const create = () => setDialog({ action: 'create' })
  const close = () => setDialog(undefined)
  const recent = useRecentRuns()
  usePageKeys(canEdit ? [{ label: t`New schedule`, keys: 'c', icon: Plus, run: create }] : [])
  return (
    <Page
      title="Schedules"
      tabs={<SectionTabs of="runs" />}
      count={items.length > 0 && !list.hasNextPage ? items.length : undefined}
      action={
        canEdit && (
          <Button look="primary" onClick={create}>
            New schedule
          </Button>
        )
      }
    >
      {list.isPending && <SkeletonRows />}
      {list.error && !list.data && <Failure error={list.error} onRetry={() => list.refetch()} />}
      {list.data && items.length === 0 && <NoSchedules onCreate={canEdit ? create : undefined} />}
      {items.length > 0 && (
        <div className="flex flex-col gap-24 pb-24 @extra-wide:flex-row @extra-wide:items-start">
          <div className="min-w-0 flex-1">
            <Table
              label="Schedules"
              columns={scheduleColumns(
                recent,
                (schedule) => setDialog({ action: 'edit', schedule }),
                (schedule) => setDialog({ action: 'delete', schedule }),
              )}
              rows={items}
              rowKey={(schedule) => schedule.id}
              version={({ lastRunAt, updatedAt }) => `${updatedAt} ${lastRunAt}`}
            />
            <ScrollEnd list={list} loaded={items.length} />
          </div>
          <div className="max-w-fields px-16 md:px-24 @extra-wide:w-list @extra-wide:shrink-0 @extra-wide:px-0 @extra-wide:pt-16 @extra-wide:pr-24">
            <Upcoming schedules={items} />
          </div>
        </div>
      )}
      {dialog?.action === 'create' && <ScheduleDialog onClose={close} />}
      {dialog?.action === 'edit' && <ScheduleDialog schedule={dialog.schedule} onClose={close} />}
      {dialog?.action === 'delete' && <DeleteScheduleDialog schedule={dialog.schedule} onClose={close} />}
    </Page>
  )
}

const NoSchedules = ({ onCreate }: { onCreate?: () => void }) => (
  <Empty
    icon={CalendarClock}
    title="No schedules yet"
    action={
      onCreate && (
        <Button look="primary" onClick={onCreate}>
          New schedule
        </Button>
      )
    }
    command={onCreate && COMMAND}
  >
    A schedule messages an agent or runs an agent block at set times, such as weekdays at 9:00. See when each
    one runs next and how its last run ended.
    {!onCreate && t` You need edit access to a project to create one.`}
  </Empty>
)

function DeleteScheduleDialog({ schedule, onClose }: { schedule: Schedule; onClose: () => void }) {
  const { id, name } = schedule
  return (
    <DeleteDialog
      title="Delete schedule"
      name={name}
      remove={() => scheduleApi.schedules.remove({ id })}
      refresh={refreshSchedules}
      onClose={onClose}
    >
      <Name>{name}</Name> won’t start any more runs. Past runs stay in the list.
    </DeleteDialog>
  )
}
