import { useQuery } from '@tanstack/react-query'
import { type ProjectDetails, projectQuery } from '../../../api/projects.ts'
import { Button } from '../../../components/button.tsx'
import { CopyId } from '../../../components/copy.tsx'
import { Failure } from '../../../components/failure.tsx'
import { TagEditor } from '../../../components/forms/tag-editor.tsx'
import { PanelSection } from '../../../components/layout/panel.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { Time } from '../../../components/time.tsx'
import { remove, updateProject } from './project-actions.ts'
import { formatSpend, quoted } from './project-labels.ts'
import { Backup } from './settings/backup.tsx'
import { GeneralForm } from './settings/general-form.tsx'
import { MetadataEditor } from './settings/metadata-editor.tsx'
import { ProjectWorkspaces } from './settings/project-workspaces.tsx'
import { ReadOnlySettings } from './settings/read-only-settings.tsx'
import { RunsLink } from './settings/runs-link.tsx'
import { StatusForm } from './settings/status-form.tsx'

interface ProjectSettingsProps {
  /** An id or a slug. */
  projectId: string
  onDeleted: () => void
}

/** The settings panel of a project; read-only for viewers. */
export function ProjectSettings({ projectId, onDeleted }: ProjectSettingsProps) {
  const project = useQuery(projectQuery(projectId))
  if (project.data) {
    return project.data.canEdit ? (
      <EditableSettings key={project.data.id} project={project.data} onDeleted={onDeleted} />
    ) : (
      <ReadOnlySettings project={project.data} />
    )
  }
  if (project.error) return <Failure error={project.error} onRetry={() => project.refetch()} />
  return <SkeletonRows rows={6} />
}

function EditableSettings({ project, onDeleted }: { project: ProjectDetails; onDeleted: () => void }) {
  return (
    <>
      <PanelSection>
        <GeneralForm project={project} />
      </PanelSection>
      <PanelSection title="Status and visibility">
        <StatusForm project={project} />
      </PanelSection>
      <PanelSection title="Tags">
        <TagEditor
          label="Add a tag"
          tags={project.tags}
          onChange={(tags) => updateProject(project, { tags }, 'Tags updated')}
        />
      </PanelSection>
      <PanelSection title="Workspaces">
        <ProjectWorkspaces project={project} />
      </PanelSection>
      <PanelSection title="Metadata">
        <MetadataEditor project={project} />
      </PanelSection>
      <PanelSection title="Backup">
        <Backup project={project} />
      </PanelSection>
      <PanelSection title="Details">
        <Details project={project} />
      </PanelSection>
      <PanelSection title="Delete">
        <div className="flex flex-col items-start gap-12">
          <p className="text-13 text-neutral-11">
            Moves {quoted(project)} to the trash with its canvas, files and history, and revokes its links.
            You can restore the project, but not its links.
          </p>
          <Button
            onClick={async () => {
              if (await remove(project)) onDeleted()
            }}
          >
            Delete project
          </Button>
        </div>
      </PanelSection>
    </>
  )
}

function Details({ project }: { project: ProjectDetails }) {
  return (
    <dl className="grid grid-cols-3 gap-x-12 gap-y-8 text-13">
      <dt className="text-neutral-11">Project ID</dt>
      <dd className="col-span-2">
        <CopyId id={project.id} what="project ID" />
      </dd>
      <dt className="text-neutral-11">Spend</dt>
      <dd className="col-span-2 tabular-nums" title={`${project.spend.amount} ${project.spend.currency}`}>
        {formatSpend(project.spend)}
      </dd>
      <dt className="text-neutral-11">Runs</dt>
      <dd className="col-span-2">
        <RunsLink projectId={project.id} />
      </dd>
      <dt className="text-neutral-11">Last activity</dt>
      <dd className="col-span-2">
        <Time at={project.lastActivityAt} />
      </dd>
      <dt className="text-neutral-11">Created</dt>
      <dd className="col-span-2">
        <Time at={project.createdAt} />
      </dd>
    </dl>
  )
}
