import { Link } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import { memo } from 'react'
import { textWithNames } from '../../../../../contract/text-with-names.ts'
import { type Project, projectRef } from '../../../../api/projects.ts'
import { NameInput } from '../../../../components/forms/name-input.tsx'
import { Name } from '../../../../components/name.tsx'
import { Time } from '../../../../components/time.tsx'
import { FavouriteStar } from '../favourites/favourite-star.tsx'
import { ProjectPreview } from '../previews/canvas-preview.tsx'
import { ProjectPeople } from '../previews/project-people.tsx'
import type { ProjectCommands } from '../project-commands.ts'
import { ProjectMenu } from '../project-menu.tsx'

interface BoardCardProps {
  project: Project
  commands: ProjectCommands
  isRenaming: boolean
  isDragged: boolean
  onDrag: (project: Project | undefined) => void
}

/** Memoized, and not laid out while it is far from the viewport: a column can have a thousand cards. */
export const BoardCard = memo(function BoardCard(props: BoardCardProps) {
  const { project, commands, isRenaming, isDragged, onDrag } = props
  const { name, emoji, description, visibility, lastActivityAt, canEdit } = project
  return (
    <li
      data-row
      draggable={canEdit && !isRenaming}
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = 'move'
        event.dataTransfer.setData('text/plain', name)
        onDrag(project)
      }}
      onDragEnd={() => onDrag(undefined)}
      className={`relative shrink-0 rounded-panel border border-neutral-6 bg-neutral-1 transition-colors [contain-intrinsic-size:auto_168px] [content-visibility:auto] hover:border-neutral-8 has-[[data-row-link]:focus-visible]:border-accent-text ${canEdit ? 'cursor-grab' : ''} ${isDragged ? 'opacity-50' : ''}`}
    >
      <ProjectPreview
        project={project}
        hidesEmpty
        className="aspect-[3/1] w-full rounded-t-panel border-neutral-6 border-b"
      />
      <div className="flex flex-col gap-4 px-12 py-8">
        <span className="flex min-w-0 items-center gap-4">
          {emoji && <span aria-hidden>{emoji}</span>}
          {isRenaming ? (
            <NameInput
              label={textWithNames`New name of ${name}`}
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
