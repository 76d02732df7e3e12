import { editFavourites, refreshFavourites } from '../../../../api/projects/favourites.ts'
import { projectsApi } from '../../../../api/projects/projects-api.ts'
import type { Project } from '../../../../api/projects.ts'
import { toastFailure } from '../../../../components/toast.tsx'

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
