import type { ProjectDetails } from '../../../../api/projects.ts'
import { useSession } from '../../../../api/session.ts'
import { Select } from '../../../../components/forms/select.tsx'
import { setStatus, updateProject } from '../project-actions.ts'
import {
  asStatus,
  asVisibility,
  quoted,
  STATUS_NAMES,
  STATUSES,
  VISIBILITIES,
  VISIBILITY_NAMES,
} from '../project-labels.ts'

/** Status and visibility; a selection saves immediately. */
export function StatusForm({ project }: { project: ProjectDetails }) {
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
          isCreator ? VISIBILITIES[project.visibility].description : 'Only the creator can make it private.'
        }
        disabled={!isCreator && project.visibility === 'team'}
        value={project.visibility}
        onChange={(event) => {
          const visibility = asVisibility(event.target.value) ?? 'team'
          void updateProject(project, { visibility }, `${quoted(project)} ${TOASTS[visibility]}`)
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

const TOASTS = { team: 'is now visible to the team', private: 'is now private' }
