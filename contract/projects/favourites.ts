import { z } from 'zod'
import { endpoint, member } from '../endpoint.ts'
import { Id } from '../fields.ts'
import { FAVOURITES_MAX } from './list-options.ts'
import { PROJECT_STATUSES, PROJECT_VISIBILITIES, ProjectRef } from './projects.ts'

const params = z.object({ id: ProjectRef })

const Favourite = z.object({
  id: Id.describe('Project id'),
  name: z.string(),
  slug: z.string(),
  emoji: z.string().nullable(),
  status: z.enum(PROJECT_STATUSES),
  visibility: z.enum(PROJECT_VISIBILITIES),
})

export const favourites = {
  list: endpoint({
    method: 'GET',
    path: '/api/v1/favourites',
    summary: 'List your favorite projects',
    description:
      'In the order you chose; new favorites come last. `GET /projects?favourites=true` returns the full projects.',
    access: member(),
    output: z.object({ items: z.array(Favourite) }),
  }),
  reorder: endpoint({
    method: 'PUT',
    path: '/api/v1/favourites',
    summary: 'Reorder your favorite projects',
    description: 'The projects in `ids` come first, in this order. Ids that are not favorites are ignored.',
    access: member(),
    body: z.object({
      ids: z
        .array(Id)
        .min(1, 'must have at least one id')
        .max(FAVOURITES_MAX, `must have at most ${FAVOURITES_MAX} ids`),
    }),
    output: z.object({ items: z.array(Favourite) }),
  }),
  add: endpoint({
    method: 'PUT',
    path: '/api/v1/projects/:id/favourite',
    summary: 'Add a project to your favorites',
    description: `Favorites are personal: other members do not see them. You can have ${FAVOURITES_MAX}. Returns CONFLICT beyond that.`,
    access: member(),
    params,
    output: z.object({ favourite: z.literal(true) }),
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/v1/projects/:id/favourite',
    summary: 'Remove a project from your favorites',
    access: member(),
    params,
    output: z.object({ favourite: z.literal(false) }),
  }),
}
