import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { RotateCcw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { TRASH_DAYS } from '../../../../contract/projects/trash-days.ts'
import { t } from '../../../../contract/text.ts'
import { textWithNames } from '../../../../contract/text-with-names.ts'
import { api } from '../../../api/client.ts'
import { type Project, projectsQuery } from '../../../api/projects.ts'
import { type Session, useSession } from '../../../api/session.ts'
import { Button, buttonClass } from '../../../components/button.tsx'
import { ConfirmDialog } from '../../../components/dialogs/confirm-dialog.tsx'
import { ProjectFace } from '../../../components/faces.tsx'
import { Name } from '../../../components/name.tsx'
import { timeColumn } from '../../../components/table/cells.tsx'
import { type Column, Table } from '../../../components/table/table.tsx'
import { focusedRecord, TrashList, useTrash } from '../../../components/table/trash.tsx'
import { Time } from '../../../components/time.tsx'
import { Page } from '../../../frame/page.tsx'
import { usePageKeys } from '../../../frame/page-keys.ts'
import { refreshProjects, undelete } from './project-actions.ts'
import { useSelection } from './selection/selection.ts'
import { SelectBox, SelectionBar } from './selection/selection-bar.tsx'
import { StatusTabs } from './status-tabs.tsx'

/** From all workspaces. */
export function TrashPage() {
  const session = useSession()
  const [purging, setPurging] = useState<Project>()
  const list = useInfiniteQuery(projectsQuery({ trashed: true }))
  const { items, matches, filter } = useTrash(list.data?.pages)
  const { count: selectedCount, order } = useSelection(matches)
  usePageKeys([
    {
      label: t`Restore`,
      keys: 'r',
      icon: RotateCcw,
      run: () => {
        const project = focusedRecord(items)
        if (!project?.canEdit) return false
        void undelete(project)
      },
    },
  ])
  return (
    <Page
      title="Deleted projects"
      count={list.data && !list.hasNextPage ? items.length : undefined}
      filter={filter}
      tabs={
        <>
          <StatusTabs />
          {selectedCount > 0 && <SelectionBar items={matches} inTrash />}
        </>
      }
    >
      <TrashList
        list={list}
        items={items}
        matches={matches}
        home={
          <Link to="/projects" className={buttonClass('plain')}>
            All projects
          </Link>
        }
        explanation={t`Deleted projects stay here with their canvas, files and history for ${TRASH_DAYS} days. You can restore them until then; share links stay revoked.`}
        noMatches={t`No loaded project matches the filter.`}
      >
        <div data-selecting={selectedCount > 0 || undefined}>
          <Table
            label="Deleted projects"
            columns={columns(session, setPurging, order)}
            rows={matches}
            rowKey={(project) => project.id}
          />
        </div>
      </TrashList>
      {purging && <PurgeProject project={purging} onClose={() => setPurging(undefined)} />}
    </Page>
  )
}

function PurgeProject({ project, onClose }: { project: Project; onClose: () => void }) {
  return (
    <ConfirmDialog
      title="Delete project permanently"
      phrase={project.name}
      action="Delete permanently"
      mutate={() => api.projects.remove({ id: project.id, permanent: 'true' })}
      onSuccess={refreshProjects}
      success={t`Project permanently deleted`}
      onClose={onClose}
    >
      <p>
        Deletes <Name>{project.name}</Name> with its canvas, files, conversations and history for every
        member. The usage page still counts what its runs cost. This can’t be undone.
      </p>
    </ConfirmDialog>
  )
}

/** Members purge only their own projects. */
const canPurge = ({ user, role }: Session, project: Project) =>
  project.canEdit && (role !== 'member' || project.userId === user.id)

const columns = (
  session: Session,
  onPurge: (project: Project) => void,
  order: () => readonly string[],
): Column<Project>[] => [
  {
    header: t`Selection`,
    headerHidden: true,
    cell: ({ id, name, canEdit }) => canEdit && <SelectBox id={id} name={name} order={order} />,
  },
  {
    header: t`Name`,
    wide: true,
    cell: ({ id, name, emoji, description, deletedAt, purgesAt }) => (
      <span className="flex min-w-0 items-center gap-8">
        <ProjectFace project={{ id, name, emoji }} />
        <span className="min-w-0 flex-1">
          <span className="flex min-w-0 items-baseline gap-8">
            <span className="min-w-0 max-w-full shrink-0 truncate font-medium">
              <Name>{name}</Name>
            </span>
            {description && (
              <span className="min-w-0 flex-1 truncate text-neutral-11 @max-medium:hidden">
                {description}
              </span>
            )}
          </span>
          {deletedAt && (
            <span className="block truncate text-12 text-neutral-11 @medium:hidden">
              deleted <Time at={deletedAt} />
              {purgesAt && (
                <>
                  , permanently <Time at={purgesAt} />
                </>
              )}
            </span>
          )}
        </span>
      </span>
    ),
  },
  timeColumn(t`Deleted`, (project) => project.deletedAt, { visibleFrom: 'medium' }),
  timeColumn(t`Deleted permanently`, (project) => project.purgesAt, { visibleFrom: 'medium' }),
  {
    header: t`Actions`,
    headerHidden: true,
    right: true,
    cell: (project) =>
      project.canEdit && (
        <span className="flex justify-end gap-4">
          <Button
            size="small"
            look="quiet"
            data-row-link={project.id}
            aria-label={textWithNames`Restore ${project.name}`}
            onClick={() => undelete(project)}
          >
            <RotateCcw aria-hidden className="icon" />
            Restore
          </Button>
          {canPurge(session, project) && (
            <Button
              size="small-icon"
              look="quiet"
              title="Delete permanently"
              aria-label={textWithNames`Delete ${project.name} permanently`}
              onClick={() => onPurge(project)}
            >
              <Trash2 aria-hidden className="icon" />
            </Button>
          )}
        </span>
      ),
  },
]
