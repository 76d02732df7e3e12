import { Star } from 'lucide-react'
import { t } from '../../../../contract/text.ts'
import { textWithNames } from '../../../../contract/text-with-names.ts'
import {
  editFavourites,
  projectsApi,
  refreshFavourites,
  useFavouriteIds,
} from '../../../api/project-pages.ts'
import type { Project } from '../../../api/projects.ts'
import { toastFailure } from '../../../components/toast.tsx'

export function FavouriteStar({ project }: { project: Project }) {
  const isFavourite = useFavouriteIds().has(project.id)
  return (
    <button
      type="button"
      aria-pressed={isFavourite}
      aria-label={textWithNames`Favorite ${project.name}`}
      title={isFavourite ? t`Remove from favorites` : t`Add to favorites`}
      onClick={() => void setFavourite(project, !isFavourite)}
      className="relative z-1 inline-flex size-24 shrink-0 items-center justify-center rounded-control text-neutral-10 opacity-0 transition-opacity hover:bg-hover hover:text-neutral-12 focus-visible:opacity-100 aria-pressed:text-warning-text aria-pressed:opacity-100 pointer-coarse:opacity-100 [[data-row]:hover_&]:opacity-100 [tr:hover_&]:opacity-100"
    >
      <Star aria-hidden className={`icon ${isFavourite ? 'fill-current' : ''}`} />
    </button>
  )
}

export async function setFavourite(
  project: Pick<Project, 'id' | 'name' | 'slug' | 'emoji' | 'status' | 'visibility'>,
  isFavourite: boolean,
): Promise<void> {
  const { id, name, slug, emoji, status, visibility } = project
  editFavourites((items) => [
    ...items.filter((item) => item.id !== id),
    ...(isFavourite ? [{ id, name, slug, emoji, status, visibility }] : []),
  ])
  try {
    await (isFavourite ? projectsApi.favourites.add({ id }) : projectsApi.favourites.remove({ id }))
  } catch (error) {
    toastFailure(error)
  }
  await refreshFavourites()
}
