import type { ProjectDetails } from '../../../api/projects.ts'
import { useSession } from '../../../api/session.ts'
import { Select } from '../../../components/forms/select.tsx'
import { change, setStatus } from '../project-actions.ts'
import {
  asStatus,
  asVisibility,
  called,
  STATUS_NAMES,
  STATUSES,
  VISIBILITIES,
  VISIBILITY_NAMES,
} from '../project-labels.ts'

/** How far it is and who sees it; kept as soon as it is chosen. */
export function Standing({ project }: { project: ProjectDetails }) {
  const { user } = useSession()
  const isMine = project.userId === user.id
  return (
    <div className="grid grid-cols-2 items-start gap-12">
      <Select
        label="Status"
        value={project.status}
        onChange={(event) => setStatus(project, asStatus(event.target.value) ?? 'active')}
      >
        {STATUS_NAMES.map((status) => (
          <option key={status} value={status}>
            {STATUSES[status].word}
          </option>
        ))}
      </Select>
      <Select
        label="Visible to"
        hint={isMine ? VISIBILITIES[project.visibility].meaning : 'Only its creator can make it private.'}
        disabled={!isMine && project.visibility === 'team'}
        value={project.visibility}
        onChange={(event) => {
          const visibility = asVisibility(event.target.value) ?? 'team'
          void change(project, { visibility }, `${called(project)} ${SAID[visibility]}`)
        }}
      >
        {VISIBILITY_NAMES.map((visibility) => (
          <option key={visibility} value={visibility}>
            {VISIBILITIES[visibility].word}
          </option>
        ))}
      </Select>
    </div>
  )
}

const SAID = { team: 'is visible to the team', private: 'is private now' }
