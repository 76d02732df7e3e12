import { useQuery } from '@tanstack/react-query'
import { t } from '../../../../contract/text.ts'
import { type ProjectDetails, projectQuery } from '../../../api/projects.ts'
import { useSession } from '../../../api/session.ts'
import { Button } from '../../../components/button.tsx'
import { CopyId } from '../../../components/copy.tsx'
import { Select } from '../../../components/forms/select.tsx'
import { TagEditor } from '../../../components/forms/tag-editor.tsx'
import { PanelSection } from '../../../components/layout/panel.tsx'
import { RecordFailure } from '../../../components/record-failure.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { Time } from '../../../components/time.tsx'
import { remove, setStatus, setVisibility, updateProject } from './project-actions.ts'
import {
  asStatus,
  asVisibility,
  formatSpend,
  quoted,
  STATUS_NAMES,
  STATUSES,
  VISIBILITIES,
  VISIBILITY_NAMES,
} from './project-labels.ts'
import { Backup } from './settings/backup.tsx'
import { GeneralForm } from './settings/general-form.tsx'
import { MetadataEditor } from './settings/metadata-editor.tsx'
import { ProjectWorkspaces } from './settings/project-workspaces.tsx'
import { ReadOnlySettings, RunsLink } from './settings/read-only-settings.tsx'

interface ProjectSettingsProps {
  /** An id or a slug. */
  projectId: string
  onDeleted: () => void
}

export function ProjectSettings({ projectId, onDeleted }: ProjectSettingsProps) {
  const project = useQuery(projectQuery(projectId))
  if (project.data) {
    return project.data.canEdit ? (
      <EditableSettings key={project.data.id} project={project.data} onDeleted={onDeleted} />
    ) : (
      <ReadOnlySettings project={project.data} />
    )
  }
  if (project.error)
    return (
      <RecordFailure
        error={project.error}
        onRetry={() => project.refetch()}
        title="Project not found"
        to="/projects"
        action="All projects"
      />
    )
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
          onChange={(tags) => updateProject(project, { tags }, t`Tags updated`)}
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

function StatusForm({ project }: { project: ProjectDetails }) {
  const { user } = useSession()
  const isCreator = project.userId === user.id
  return (
    <div className="grid grid-cols-2 items-start gap-12">
      <Select
        label="Status"
        value={project.status}
        onChange={(event) => setStatus(project, asStatus(event.target.value) ?? 'active')}
      >
        {STATUS_NAMES.map((status) => (
          <option key={status} value={status}>
            {STATUSES[status].label}
          </option>
        ))}
      </Select>
      <Select
        label="Visibility"
        hint={
          isCreator ? VISIBILITIES[project.visibility].description : t`Only its creator can make it private.`
        }
        disabled={!isCreator && project.visibility === 'team'}
        value={project.visibility}
        onChange={(event) => {
          void setVisibility(project, asVisibility(event.target.value) ?? 'team')
        }}
      >
        {VISIBILITY_NAMES.map((visibility) => (
          <option key={visibility} value={visibility}>
            {VISIBILITIES[visibility].label}
          </option>
        ))}
      </Select>
    </div>
  )
}
