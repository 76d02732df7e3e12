import { useState } from 'react'
import type { ProjectDetails } from '../../api/projects.ts'
import { NameInput } from '../../components/forms/name-input.tsx'
import { Name } from '../../components/name.tsx'
import { rename } from '../projects/projects/project-actions.ts'

/** The name of the project; a click renames it. */
export function ProjectTitle({ project }: { project: ProjectDetails }) {
  const [isEditing, setEditing] = useState(false)
  if (isEditing) {
    return (
      <div className="min-w-0 flex-1 sm:max-w-filter">
        <NameInput
          label="Project name"
          name={project.name}
          onDone={(name) => {
            setEditing(false)
            if (name) void rename(project, name)
          }}
        />
      </div>
    )
  }
  const className = 'min-w-0 truncate font-strong text-16'
  if (!project.canEdit) {
    return (
      <h1 className={className} title={project.description ?? undefined}>
        <Name>{project.name}</Name>
      </h1>
    )
  }
  return (
    <h1 className={className}>
      <button
        type="button"
        title="Rename"
        onClick={() => setEditing(true)}
        className="max-w-full truncate rounded-control px-4 hover:bg-neutral-3"
      >
        <Name>{project.name}</Name>
      </button>
    </h1>
  )
}
