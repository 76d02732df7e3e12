import { Link } from '@tanstack/react-router'
import { type KeyboardEvent, useState } from 'react'
import { editFavourites, projectsApi, refreshFavourites } from '../api/project-pages.ts'
import { projectRef } from '../api/projects.ts'
import type { Favourite } from '../api/sidebar.ts'
import { ProjectFace } from '../components/faces.tsx'
import { Name } from '../components/name.tsx'
import { toastFailure } from '../components/toast.tsx'

/** The projects page lists the rest. */
const SHOWN_MAX = 8

interface RailFavouritesProps {
  favourites: Favourite[]
  item: string
}

/** Reordered by dragging, or Shift and an arrow key. Loaded only if there are any. */
export default function RailFavourites({ favourites, item }: RailFavouritesProps) {
  const [draggedId, setDraggedId] = useState<string>()
  const ids = favourites.map(({ id }) => id)
  return (
    <ul aria-label="Favorites" className="flex flex-col gap-2 pt-2 pl-24 [&_a]:font-regular">
      {favourites.slice(0, SHOWN_MAX).map((project, index) => (
        <li
          key={project.id}
          onDragStart={() => setDraggedId(project.id)}
          onDragEnd={() => setDraggedId(undefined)}
          onDragOver={(event) => {
            if (draggedId) event.preventDefault()
          }}
          onDrop={(event) => {
            event.preventDefault()
            if (draggedId) void move(ids, draggedId, index)
          }}
        >
          <Link
            to="/projects/$ref"
            params={{ ref: projectRef(project) }}
            title={project.name}
            aria-keyshortcuts="Shift+ArrowUp Shift+ArrowDown"
            onKeyDown={(event) => moveByKey(event, ids, index)}
            className={item}
          >
            <ProjectFace project={project} size={18} />
            <span className="truncate">
              <Name>{project.name}</Name>
            </span>
          </Link>
        </li>
      ))}
      {favourites.length > SHOWN_MAX && (
        <li>
          <Link
            to="/projects"
            search={{ fav: 'only', workspace: 'all', show: 'all' }}
            activeOptions={{ exact: true, includeSearch: true }}
            className={item}
          >
            All {favourites.length} favorites
          </Link>
        </li>
      )}
    </ul>
  )
}

function moveByKey(event: KeyboardEvent, ids: string[], index: number) {
  const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
  const to = index + (step ?? 0)
  if (!event.shiftKey || !step || to < 0 || to >= ids.length) return
  event.preventDefault()
  event.stopPropagation()
  void move(ids, ids[index]!, to)
}

/** Optimistic. */
async function move(ids: string[], id: string, to: number) {
  const order = ids.filter((other) => other !== id).toSpliced(to, 0, id)
  editFavourites((items) =>
    order.flatMap((id): Favourite[] => items.filter((favourite) => favourite.id === id)),
  )
  try {
    await projectsApi.favourites.reorder({ ids: order })
  } catch (error) {
    toastFailure(error)
    await refreshFavourites()
  }
}
