import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { Plus, Table2 } from 'lucide-react'
import { useState } from 'react'
import { counted } from '../../../../contract/counted.ts'
import { t } from '../../../../contract/text.ts'
import { api } from '../../../api/client.ts'
import { failureMessage } from '../../../api/explain.ts'
import { projectQuery } from '../../../api/projects.ts'
import { refreshTables, tablesQuery } from '../../../api/tables.ts'
import { Button } from '../../../components/button.tsx'
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx'
import { Empty } from '../../../components/empty.tsx'
import { Failure } from '../../../components/failure.tsx'
import { TextField } from '../../../components/forms/field.tsx'
import { Breadcrumb } from '../../../components/layout/breadcrumb.tsx'
import { TabRow } from '../../../components/layout/tabs.tsx'
import { Name } from '../../../components/name.tsx'
import { RecordFailure } from '../../../components/record-failure.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { Time } from '../../../components/time.tsx'
import { Page } from '../../../frame/page.tsx'
import { ProjectTabs } from '../projects/project-tabs.tsx'

const route = getRouteApi('/app/projects/$ref/tables')

export function TablesPage() {
  const { ref } = route.useParams()
  const project = useQuery(projectQuery(ref))
  const [isCreating, setCreating] = useState(false)
  if (project.error)
    return (
      <RecordFailure
        page
        error={project.error}
        onRetry={project.refetch}
        title="Project not found"
        to="/projects"
        action="All projects"
      />
    )
  const { data } = project
  const newTable = data?.canEdit && (
    <Button look="primary" onClick={() => setCreating(true)}>
      <Plus aria-hidden className="icon" />
      New table
    </Button>
  )
  return (
    <Page
      title={data?.name ?? t`Project`}
      breadcrumb={<Breadcrumb to="/projects">Projects</Breadcrumb>}
      action={newTable}
      tabs={<TabRow label={t`Project`}>{data && <ProjectTabs project={data} current="tables" />}</TabRow>}
    >
      {data ? <TableList projectId={data.id} action={newTable} /> : <SkeletonRows />}
      {isCreating && data && <NewTableDialog projectId={data.id} onClose={() => setCreating(false)} />}
    </Page>
  )
}

function TableList({ projectId, action }: { projectId: string; action: React.ReactNode }) {
  const { data, error, refetch } = useQuery(tablesQuery(projectId))
  if (error) return <Failure error={error} onRetry={refetch} />
  if (!data) return <SkeletonRows />
  if (data.length === 0)
    return (
      <Empty
        icon={Table2}
        title="No tables yet"
        action={action}
        command={`atrium tables import contacts.csv --project ${projectId}`}
      >
        Create a table, then paste from a spreadsheet or import a CSV file. Agents read and fill it too.
      </Empty>
    )
  return (
    <ul className="flex flex-col px-8 py-8 md:px-16">
      {data.map((table) => (
        <li key={table.id}>
          <Link
            to="/projects/$ref/tables/$tableId"
            params={{ ref: projectId, tableId: table.id }}
            className="flex min-h-48 items-center gap-12 rounded-control px-8 py-8 hover:bg-hover"
          >
            <Table2 aria-hidden className="icon shrink-0 text-neutral-11" />
            <span className="flex min-w-0 flex-1 flex-col">
              <span className="truncate font-medium">
                <Name>{table.name}</Name>
              </span>
              <span className="truncate text-12 text-neutral-11">
                <Name>{table.columns.map(({ name }) => name).join(', ')}</Name>
              </span>
            </span>
            <span className="shrink-0 text-13 text-neutral-11 tabular-nums">
              {counted(table.rowCount, 'row', 'rows')}
            </span>
            <span className="shrink-0 text-13 text-neutral-11 max-sm:hidden">
              <Time at={table.updatedAt} />
            </span>
          </Link>
        </li>
      ))}
    </ul>
  )
}

function NewTableDialog({ projectId, onClose }: { projectId: string; onClose: () => void }) {
  const [name, setName] = useState('')
  const navigate = useNavigate()
  const create = useMutation({
    mutationFn: () => api.tables.create({ projectId, name: name.trim(), columns: [] }),
    onSuccess: async ({ id }) => {
      await refreshTables()
      await navigate({ to: '/projects/$ref/tables/$tableId', params: { ref: projectId, tableId: id } })
    },
  })
  return (
    <FormDialog
      title="New table"
      action={t`Create`}
      busy={create.isPending}
      failure={create.error ? failureMessage(create.error) : undefined}
      onSubmit={() => create.mutate()}
      onClose={onClose}
    >
      <TextField
        label={t`Name`}
        required
        limit={100}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
    </FormDialog>
  )
}
