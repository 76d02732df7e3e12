import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { CloudDownload, Ellipsis, Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { SOURCE_KINDS } from '../../../../contract/knowledge/source-options.ts'
import { t } from '../../../../contract/text.ts'
import { textWithNames } from '../../../../contract/text-with-names.ts'
import { newestProjectsQuery } from '../../../api/projects.ts'
import { refreshSources, type Source, sourceApi, sourcesQuery } from '../../../api/sources.ts'
import { useCanCreateProjects } from '../../../api/workspaces.ts'
import { Button, buttonClass } from '../../../components/button.tsx'
import { DeleteDialog } from '../../../components/dialogs/confirm-dialog.tsx'
import { Empty } from '../../../components/empty.tsx'
import { Failure } from '../../../components/failure.tsx'
import { Menu, MenuAction } from '../../../components/menu.tsx'
import { Name } from '../../../components/name.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { ScrollEnd } from '../../../components/table/scroll-end.tsx'
import { type Column, Table } from '../../../components/table/table.tsx'
import { Time } from '../../../components/time.tsx'
import { Page } from '../../../frame/page.tsx'
import { usePageKeys } from '../../../frame/page-keys.ts'
import { KnowledgeTabs } from '../knowledge-tabs.tsx'
import { SpaceFilter } from '../memory/memory-fields.tsx'
import { SourceDialog } from './source-dialog.tsx'
import { problemOf, SourceStatus, targetOf } from './source-labels.tsx'
import { SourcePanel } from './source-panel.tsx'

const COMMAND = `npx atrium sources add github --project <project> --set repository=acme/handbook --confirm-readers`

type OpenDialog = { action: 'create' } | { action: 'edit' | 'delete'; source: Source }

const route = getRouteApi('/app/knowledge/')

export function SourcesPage() {
  const { project: projectId, source: openId, add } = route.useSearch()
  const navigate = useNavigate()
  const list = useInfiniteQuery(sourcesQuery(projectId))
  const items = list.data?.pages.flatMap((page) => page.items) ?? []
  const [dialog, setDialog] = useState<OpenDialog | undefined>(add ? { action: 'create' } : undefined)
  const projects = useQuery(newestProjectsQuery).data?.items
  const canEdit = projects?.some((project) => project.canEdit) === true
  const needsProject = useCanCreateProjects() && projects !== undefined && !canEdit
  const create = () => setDialog({ action: 'create' })
  const close = () => {
    setDialog(undefined)
    if (add) void navigate({ to: '/knowledge', search: { project: projectId }, replace: true })
  }
  const open = (id: string | undefined) =>
    void navigate({ to: '/knowledge', search: { project: projectId, source: id } })
  usePageKeys(canEdit ? [{ label: t`Add source`, keys: 'c', icon: Plus, run: create }] : [])
  return (
    <Page
      title="Knowledge"
      tabs={
        <KnowledgeTabs
          projectId={projectId}
          end={
            <SpaceFilter
              projectsOnly
              space={projectId}
              onChange={(project) => void navigate({ to: '/knowledge', search: { project } })}
            />
          }
        />
      }
      count={items.length > 0 && !list.hasNextPage ? items.length : undefined}
      action={
        canEdit && (
          <Button look="primary" onClick={create}>
            Add source
          </Button>
        )
      }
      panel={openId && <SourcePanel id={openId} onClose={() => open(undefined)} />}
    >
      {list.isPending && <SkeletonRows />}
      {list.error && !list.data && <Failure error={list.error} onRetry={() => list.refetch()} />}
      {list.data && projects && items.length === 0 && (
        <NoSources needsProject={needsProject} onCreate={canEdit ? create : undefined} />
      )}
      {items.length > 0 && (
        <>
          <Table
            label="Sources"
            columns={columnsOf(open, setDialog)}
            rows={items}
            rowKey={({ id }) => id}
            version={({ updatedAt, state, sync, lastSyncedAt }) =>
              `${updatedAt} ${state} ${lastSyncedAt} ${sync?.added} ${sync?.changed}`
            }
          />
          <ScrollEnd list={list} loaded={items.length} />
        </>
      )}
      {canEdit && dialog?.action === 'create' && <SourceDialog projectId={projectId} onClose={close} />}
      {dialog?.action === 'edit' && <SourceDialog source={dialog.source} onClose={close} />}
      {dialog?.action === 'delete' && (
        <DeleteSourceDialog
          source={dialog.source}
          // Its panel would report that it’s gone.
          onDeleted={() => dialog.source.id === openId && open(undefined)}
          onClose={close}
        />
      )}
    </Page>
  )
}

const columnsOf = (
  onOpen: (id: string) => void,
  onDialog: (dialog: OpenDialog) => void,
): Column<Source>[] => [
  { header: t`Source`, wide: true, cell: (source) => <NameCell source={source} onOpen={onOpen} /> },
  {
    header: t`State`,
    cell: (source) => <SourceStatus source={source} />,
  },
  {
    header: t`Last sync`,
    visibleFrom: 'medium',
    cell: ({ lastSyncedAt }) => (lastSyncedAt ? <Time at={lastSyncedAt} /> : '–'),
  },
  {
    header: t`Next sync`,
    visibleFrom: 'wide',
    cell: ({ nextSyncAt }) => (nextSyncAt ? <Time at={nextSyncAt} isExpected /> : '–'),
  },
  {
    header: t`Actions`,
    headerHidden: true,
    right: true,
    cell: (source) => source.canEdit && <SourceMenu source={source} onDialog={onDialog} />,
  },
]

function NameCell({ source, onOpen }: { source: Source; onOpen: (id: string) => void }) {
  const { id, name, kind, projectName } = source
  const problem = problemOf(source)
  return (
    <span className="block min-w-0">
      <button
        type="button"
        data-row-link={id}
        title={name}
        onClick={() => onOpen(id)}
        className="row-link block max-w-full truncate text-left font-medium outline-none"
      >
        <Name>{name}</Name>
      </button>
      <span className="block truncate text-12 text-neutral-11">
        {SOURCE_KINDS[kind].label} · <Name>{targetOf(source)}</Name> · <Name>{projectName}</Name>
      </span>
      {problem && <span className="block truncate text-12 text-warning-text">{problem}</span>}
    </span>
  )
}

function SourceMenu({ source, onDialog }: { source: Source; onDialog: (dialog: OpenDialog) => void }) {
  const trigger = (
    <Button look="quiet" size="small-icon" aria-label={textWithNames`Actions for ${source.name}`}>
      <Ellipsis aria-hidden className="icon" />
    </Button>
  )
  return (
    <span className="relative">
      <Menu trigger={trigger}>
        <MenuAction icon={Pencil} label="Edit" onSelect={() => onDialog({ action: 'edit', source })} />
        <MenuAction icon={Trash2} label="Delete" onSelect={() => onDialog({ action: 'delete', source })} />
      </Menu>
    </span>
  )
}

const NoSources = ({ needsProject, onCreate }: { needsProject: boolean; onCreate?: () => void }) => (
  <Empty
    icon={CloudDownload}
    title="No sources yet"
    action={
      onCreate ? (
        <Button look="primary" onClick={onCreate}>
          Add source
        </Button>
      ) : (
        needsProject && (
          <Link
            to="/projects/new"
            search={{ returnTo: '/knowledge?add=source' }}
            className={buttonClass('primary')}
          >
            <Plus aria-hidden className="icon" />
            New project
          </Link>
        )
      )
    }
    command={onCreate && COMMAND}
  >
    A source keeps a project folder in step with a Google Drive folder, Notion pages, a Confluence space, a
    GitHub repository, a Dropbox or SharePoint folder, or a website.
    {needsProject
      ? t` Create a project for its files first.`
      : !onCreate && t` You need edit access to a project to add one.`}
  </Empty>
)

interface DeleteSourceDialogProps {
  source: Source
  onDeleted: () => unknown
  onClose: () => void
}

function DeleteSourceDialog({ source: { id, name }, onDeleted, onClose }: DeleteSourceDialogProps) {
  const [trashesFiles, setTrashesFiles] = useState(false)
  return (
    <DeleteDialog
      title="Delete source"
      name={name}
      remove={() => sourceApi.sources.remove({ id, files: trashesFiles ? 'trash' : 'keep' })}
      refresh={async () => {
        await onDeleted()
        await refreshSources()
      }}
      onClose={onClose}
      choice={
        <label className="flex items-start gap-8">
          <input
            type="checkbox"
            checked={trashesFiles}
            onChange={(event) => setTrashesFiles(event.target.checked)}
          />
          <span>Move its folder and files to the trash</span>
        </label>
      }
    >
      <Name>{name}</Name> stops syncing.{' '}
      {trashesFiles
        ? t`Agents stop finding its files, which you can restore from the trash.`
        : t`Its files stay, and agents still find them.`}
    </DeleteDialog>
  )
}
