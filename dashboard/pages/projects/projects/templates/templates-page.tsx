import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Ellipsis, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { counted } from '../../../../../contract/counted.ts'
import { t } from '../../../../../contract/text.ts'
import { textWithNames } from '../../../../../contract/text-with-names.ts'
import { projectsApi } from '../../../../api/project-pages.ts'
import { useCanCreateProjects } from '../../../../api/workspaces.ts'
import { Button, buttonClass } from '../../../../components/button.tsx'
import { DeleteDialog } from '../../../../components/dialogs/confirm-dialog.tsx'
import { ProjectFace } from '../../../../components/faces.tsx'
import { Failure } from '../../../../components/failure.tsx'
import { Menu, MenuAction } from '../../../../components/menu.tsx'
import { Name, withNames } from '../../../../components/name.tsx'
import { SkeletonRows } from '../../../../components/skeleton.tsx'
import { Page } from '../../../../frame/page.tsx'
import { CanvasPreview } from '../project-preview.tsx'
import { StatusTabs } from '../status-tabs.tsx'
import { EditTemplateDialog } from './template-dialogs.tsx'
import { refreshTemplates, type Template, templatesQuery } from './templates-queries.ts'

export function TemplatesPage() {
  const list = useQuery(templatesQuery)
  const [editing, setEditing] = useState<Template>()
  const [deleting, setDeleting] = useState<Template>()
  const items = list.data?.items ?? []
  const group = (source: Template['source'], title: string, lead: string) => {
    const templates = items.filter((template) => template.source === source)
    return (
      <section className="px-16 py-16 md:px-24">
        <h2 className="font-strong text-14">{title}</h2>
        <p className="mb-12 text-13 text-neutral-11">{lead}</p>
        <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(256px,100%),1fr))] gap-16">
          {templates.map((template) => (
            <TemplateCard
              key={template.id}
              template={template}
              onEdit={() => setEditing(template)}
              onDelete={() => setDeleting(template)}
            />
          ))}
        </ul>
      </section>
    )
  }
  const hasOwn = items.some(({ source }) => source === 'organization')
  return (
    <Page title="Templates" count={list.data && items.length} tabs={<StatusTabs />}>
      {list.isPending && <SkeletonRows />}
      {list.error && !list.data && <Failure error={list.error} onRetry={() => list.refetch()} />}
      {list.data && (
        <>
          {group(
            'organization',
            t`Your organization`,
            hasOwn
              ? t`Canvases saved by members.`
              : t`No templates yet. Choose “Save as template” in a project’s menu.`,
          )}
          {group('shipped', t`From Atrium`, t`Canvases with notes, tasks and agents for common work.`)}
        </>
      )}
      {editing && <EditTemplateDialog template={editing} onClose={() => setEditing(undefined)} />}
      {deleting && <DeleteTemplate template={deleting} onClose={() => setDeleting(undefined)} />}
    </Page>
  )
}

interface TemplateCardProps {
  template: Template
  onEdit: () => void
  onDelete: () => void
}

function TemplateCard({ template, onEdit, onDelete }: TemplateCardProps) {
  const { id, name, emoji, description, shapes, blockCount, createdBy, canEdit } = template
  const canCreate = useCanCreateProjects()
  const blocks = counted(blockCount, 'block')
  return (
    <li className="flex flex-col rounded-panel bg-card shadow-card">
      <CanvasPreview shapes={shapes} className="aspect-[2/1] w-full rounded-t-panel" />
      <div className="flex flex-1 flex-col gap-4 p-12">
        <span className="flex items-center gap-8">
          <ProjectFace project={{ id, name, emoji }} />
          <h3 title={name} className="min-w-0 flex-1 truncate font-medium text-13">
            <Name>{name}</Name>
          </h3>
          {canEdit && (
            <Menu
              trigger={
                <Button
                  look="quiet"
                  size="small-icon"
                  aria-haspopup="menu"
                  aria-label={textWithNames`Actions for ${name}`}
                >
                  <Ellipsis aria-hidden className="icon" />
                </Button>
              }
            >
              <MenuAction icon={Pencil} label="Edit…" onSelect={onEdit} />
              <MenuAction icon={Trash2} label="Delete…" onSelect={onDelete} />
            </Menu>
          )}
        </span>
        {description && <p className="text-13 text-neutral-11">{description}</p>}
        <span className="mt-auto flex min-h-32 items-center gap-8 pt-8 text-12 text-neutral-11">
          <span className="min-w-0 flex-1 truncate">
            {createdBy ? withNames`${blocks}, by ${createdBy.name}` : blocks}
          </span>
          {canCreate && (
            <Link
              to="/projects/new"
              search={{ start: `template:${id}` }}
              aria-label={textWithNames`Use ${name}`}
              className={buttonClass('plain', 'small')}
            >
              Use
            </Link>
          )}
        </span>
      </div>
    </li>
  )
}

const DeleteTemplate = ({ template, onClose }: { template: Template; onClose: () => void }) => (
  <DeleteDialog
    title="Delete template"
    name={template.name}
    remove={() => projectsApi.templates.remove({ id: template.id })}
    refresh={refreshTemplates}
    onClose={onClose}
  >
    <Name>{template.name}</Name> will be deleted for everyone in the organization. Projects started from it
    stay as they are.
  </DeleteDialog>
)
