import { Link } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import { memo, type ReactNode } from 'react'
import { textWithNames } from '../../../../contract/text-with-names.ts'
import { type Project, projectRef } from '../../../api/projects.ts'
import { ProjectFace } from '../../../components/faces.tsx'
import { NameInput } from '../../../components/forms/name-input.tsx'
import { Name } from '../../../components/name.tsx'
import { Time } from '../../../components/time.tsx'
import { FavouriteStar } from './favourite-star.tsx'
import type { ProjectCommands } from './project-commands.ts'
import { ProjectMenu } from './project-menu.tsx'
import { ProjectPeople, ProjectPreview } from './project-preview.tsx'

interface ProjectCardProps {
  project: Project
  commands: ProjectCommands
  isRenaming: boolean
  isDragged?: boolean
  /** On the board. */
  onDrag?: (project: Project | undefined) => void
  select?: ReactNode
}

/** Memoized, and not laid out far from the viewport: a board column can have a thousand cards. */
export const ProjectCard = memo(function ProjectCard(props: ProjectCardProps) {
  const { project, commands, isRenaming, isDragged, onDrag, select } = props
  const { name, description, visibility, lastActivityAt, canEdit } = project
  const isDraggable = onDrag !== undefined && canEdit
  return (
    <li
      data-row
      draggable={isDraggable && !isRenaming}
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = 'move'
        event.dataTransfer.setData('text/plain', name)
        onDrag?.(project)
      }}
      onDragEnd={() => onDrag?.(undefined)}
      className={`group/row relative shrink-0 rounded-panel bg-card shadow-card transition-shadow [contain-intrinsic-size:auto_196px] [content-visibility:auto] hover:shadow-raised has-[[data-row-link]:focus-visible]:outline-2 has-[[data-row-link]:focus-visible]:outline-selection ${isDraggable ? 'cursor-grab' : ''} ${isDragged ? 'opacity-50' : ''}`}
    >
      <ProjectPreview
        project={project}
        hidesEmpty={onDrag !== undefined}
        className={`w-full rounded-t-panel ${onDrag ? 'aspect-[3/1]' : 'aspect-[2/1]'}`}
      />
      {select && <span className="absolute top-8 left-8 z-1">{select}</span>}
      <div className="flex flex-col gap-4 p-12">
        <span className="flex min-w-0 items-center gap-8">
          <ProjectFace project={project} />
          {isRenaming ? (
            <NameInput
              label={textWithNames`New name for ${name}`}
              name={name}
              onDone={(next) => commands.rename(project, next)}
            />
          ) : (
            <Link
              to="/projects/$ref"
              params={{ ref: projectRef(project) }}
              data-row-link={project.id}
              draggable={false}
              title={name}
              className="row-link min-w-0 flex-1 truncate font-medium text-13 outline-none"
            >
              <Name>{name}</Name>
            </Link>
          )}
          <FavouriteStar project={project} />
          <span className="relative inline-flex">
            <ProjectMenu project={project} commands={commands} />
          </span>
        </span>
        {description && <p className="truncate text-12 text-neutral-11">{description}</p>}
        <span className="flex h-24 items-center gap-8 text-12 text-neutral-11">
          <ProjectPeople project={project} />
          {visibility === 'private' && <Lock role="img" aria-label="Private" className="size-12 shrink-0" />}
          <span className="ml-auto">
            <Time at={lastActivityAt} />
          </span>
        </span>
      </div>
    </li>
  )
})
