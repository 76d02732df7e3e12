import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Template, templatesQuery } from '../../../../api/projects/templates.ts'
import { Failure } from '../../../../components/failure.tsx'
import { SkeletonRows } from '../../../../components/skeleton.tsx'
import { Page } from '../../../../frame/page.tsx'
import { StatusTabs } from '../status-tabs.tsx'
import { DeleteTemplate } from './delete-template.tsx'
import { EditTemplateDialog } from './edit-template-dialog.tsx'
import { TemplateCard } from './template-card.tsx'

/** The canvases that a project can start from. */
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
            'Your organization',
            hasOwn
              ? 'Copies of canvases that members saved.'
              : 'The organization has no templates yet. In the menu of a project, choose “Save as template”.',
          )}
          {group('shipped', 'From Atrium', 'Canvases with notes, tasks and agents for common work.')}
        </>
      )}
      {editing && <EditTemplateDialog template={editing} onClose={() => setEditing(undefined)} />}
      {deleting && <DeleteTemplate template={deleting} onClose={() => setDeleting(undefined)} />}
    </Page>
  )
}
