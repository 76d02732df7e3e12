import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { Ellipsis, Pencil, Plus, Table2, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { counted } from '../../../../contract/counted.ts'
import { t } from '../../../../contract/text.ts'
import { textWithNames } from '../../../../contract/text-with-names.ts'
import { api } from '../../../api/client.ts'
import { projectQuery } from '../../../api/projects.ts'
import { refreshTables, type Table, tablesQuery } from '../../../api/tables.ts'
import { Button } from '../../../components/button.tsx'
import { Empty } from '../../../components/empty.tsx'
import { Failure } from '../../../components/failure.tsx'
import { Breadcrumb } from '../../../components/layout/breadcrumb.tsx'
import { TabRow } from '../../../components/layout/tabs.tsx'
import { Menu, MenuAction } from '../../../components/menu.tsx'
import { Name } from '../../../components/name.tsx'
import { RecordFailure } from '../../../components/record-failure.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { Time } from '../../../components/time.tsx'
import { Page } from '../../../frame/page.tsx'
import { ProjectTabs } from '../projects/project-tabs.tsx'
import { DeletedTables } from './deleted-tables.tsx'
import { NameDialog } from './name-dialog.tsx'
import { deleteTable } from './table-actions.ts'

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
      {data ? <TableList projectId={data.id} canEdit={data.canEdit} action={newTable} /> : <SkeletonRows />}
      {isCreating && data && <NewTableDialog projectId={data.id} onClose={() => setCreating(false)} />}
    </Page>
  )
}

interface TableListProps {
  projectId: string
  canEdit: boolean
  action: React.ReactNode
}

function TableList({ projectId, canEdit, action }: TableListProps) {
  const { data, error, refetch } = useQuery(tablesQuery(projectId))
  const [renaming, setRenaming] = useState<Table>()
  if (error && !data) return <Failure error={error} onRetry={refetch} />
  if (!data) return <SkeletonRows />
  return (
    <>
      {data.length === 0 ? (
        <Empty
          icon={Table2}
          title="No tables yet"
          action={action}
          command={`atrium tables import contacts.csv --project ${projectId}`}
        >
          Create a table, then paste from a spreadsheet or import a CSV file. Agents read and fill it too.
        </Empty>
      ) : (
        <ul className="flex flex-col px-8 py-8 md:px-16">
          {data.map((table) => (
            <TableEntry key={table.id} table={table} onRename={() => setRenaming(table)} />
          ))}
        </ul>
      )}
      {canEdit && <DeletedTables projectId={projectId} />}
      {renaming && (
        <NameDialog
          title={t`Rename table`}
          action={t`Rename`}
          name={renaming.name}
          save={(name) => api.tables.update({ id: renaming.id, name })}
          onSaved={async () => {
            await refreshTables()
            setRenaming(undefined)
          }}
          onClose={() => setRenaming(undefined)}
        />
      )}
    </>
  )
}

function TableEntry({ table, onRename }: { table: Table; onRename: () => void }) {
  const { id, projectId, name, columns, rowCount, updatedAt, canEdit } = table
  return (
    <li className="relative flex min-h-48 items-center gap-12 rounded-control px-8 py-8 hover:bg-hover">
      <Table2 aria-hidden className="icon shrink-0 text-neutral-11" />
      <Link
        to="/projects/$ref/tables/$tableId"
        params={{ ref: projectId, tableId: id }}
        className="row-link flex min-w-0 flex-1 flex-col outline-none"
      >
        <span className="truncate font-medium">
          <Name>{name}</Name>
        </span>
        <span className="truncate text-12 text-neutral-11">
          <Name>{columns.map((column) => column.name).join(', ')}</Name>
        </span>
      </Link>
      <span className="shrink-0 text-13 text-neutral-11 tabular-nums">
        {counted(rowCount, 'row', 'rows')}
      </span>
      <span className="shrink-0 text-13 text-neutral-11 max-sm:hidden">
        <Time at={updatedAt} />
      </span>
      {canEdit && (
        <span className="relative shrink-0">
          <Menu
            trigger={
              <Button look="quiet" size="icon" aria-label={textWithNames`Actions for ${name}`}>
                <Ellipsis aria-hidden className="icon" />
              </Button>
            }
          >
            <MenuAction icon={Pencil} label={t`Rename…`} onSelect={onRename} />
            <MenuAction icon={Trash2} label={t`Delete table`} onSelect={() => void deleteTable(table)} />
          </Menu>
        </span>
      )}
    </li>
  )
}

function NewTableDialog({ projectId, onClose }: { projectId: string; onClose: () => void }) {
  const navigate = useNavigate()
  return (
    <NameDialog
      title={t`New table`}
      action={t`Create`}
      save={(name) => api.tables.create({ projectId, name, columns: [] })}
      onSaved={async ({ id }) => {
        await refreshTables()
        await navigate({ to: '/projects/$ref/tables/$tableId', params: { ref: projectId, tableId: id } })
      }}
      onClose={onClose}
    />
  )
}
